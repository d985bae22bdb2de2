package io.mcpbridge.integration.bom;

import static org.assertj.core.api.Assertions.assertThat;

import io.mcpbridge.discovery.Providers;
import io.mcpbridge.spi.AuditSinkProvider;
import io.mcpbridge.spi.CallObserverProvider;
import io.mcpbridge.spi.CallStageProvider;
import io.mcpbridge.spi.ListenerProvider;
import io.mcpbridge.spi.ProcessLauncherProvider;
import io.mcpbridge.spi.Provider;
import io.mcpbridge.spi.RetryPolicyProvider;
import io.mcpbridge.spi.SchemaCheckProvider;
import io.mcpbridge.spi.ToolCatalogProvider;
import io.mcpbridge.spi.TransportProvider;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;

/**
 * Builds a project that imports the BOM, in a Maven of its own, and runs it on the module path.
 *
 * <p>The modules are put where their poms say into an empty local repository, so that nothing needs
 * to be installed first. All else comes from the local repository of the outer build.
 */
@Timeout(120)
@EnabledIfSystemProperty(named = "maven.home", matches = ".+", disabledReason = "only Maven makes what is published")
class BomConsumerTest {

    private static final Pattern ARTIFACT = Pattern.compile("<artifactId>mcp-bridge-([\\w-]+)</artifactId>");

    private static final List<Class<? extends Provider>> EXTENSION_POINTS = List.of(
            AuditSinkProvider.class,
            CallObserverProvider.class,
            CallStageProvider.class,
            ListenerProvider.class,
            ProcessLauncherProvider.class,
            RetryPolicyProvider.class,
            SchemaCheckProvider.class,
            ToolCatalogProvider.class,
            TransportProvider.class);

    private static final Path ROOT = Path.of("").toAbsolutePath().resolveSibling("");

    private static final String VERSION = System.getProperty("mcp-bridge.version", "");

    @TempDir
    private Path folder;

    @Test
    void everyModuleOfTheBomIsFoundOnTheModulePath() throws IOException, InterruptedException {
        List<String> modules = artifacts(ROOT.resolve("bom/pom.xml"));
        assertThat(artifacts(ROOT.resolve("integration-tests/bom-consumer/pom.xml")))
                .as("the consumer picks what the BOM has")
                .containsExactlyInAnyOrderElementsOf(modules);
        publish("parent", ROOT.resolve("pom.xml"), "pom");
        for (String module : modules) {
            publish(module, ROOT.resolve(module).resolve("pom.xml"), "pom");
        }
        for (String module : modules.stream().filter(it -> !it.equals("bom")).toList()) {
            publish(module, ROOT.resolve("%s/target/mcp-bridge-%s-%s.jar".formatted(module, module, VERSION)), "jar");
        }

        buildConsumer();

        List<String> lines = runConsumerOnModulePath();
        assertThat(lines)
                .as("the providers that are found by name")
                .endsWith(EXTENSION_POINTS.stream()
                        .map(it -> it.getName() + " " + Providers.of(it).names())
                        .toArray(String[]::new));
        assertThat(lines).as("the log of a tool server").anyMatch(it -> it.endsWith("version=" + VERSION));
    }

    private void buildConsumer() throws IOException, InterruptedException {
        Path source = ROOT.resolve("integration-tests/bom-consumer");
        for (var file : List.of("pom.xml", "src/main/java/module-info.java", "src/main/java/consumer/Consumer.java")) {
            copy(source.resolve(file), folder.resolve(file));
        }
        run(List.of(
                Path.of(System.getProperty("maven.home"), "bin", isWindows() ? "mvn.cmd" : "mvn")
                        .toString(),
                "--batch-mode",
                "--no-transfer-progress",
                "-Dmcp-bridge.version=" + VERSION,
                "-Dmaven.repo.local=" + folder.resolve("repository"),
                "-Dmaven.repo.local.tail=" + System.getProperty("maven.repo.local"),
                "process-classes"));
    }

    private List<String> runConsumerOnModulePath() throws IOException, InterruptedException {
        var command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "--module-path",
                Files.readString(folder.resolve("target/module-path")),
                "--module",
                "consumer/consumer.Consumer",
                folder.resolve("tools.sock").toString()));
        EXTENSION_POINTS.forEach(it -> command.add(it.getName()));
        return run(command);
    }

    /** Runs a command to its end and returns the lines that it printed. */
    private List<String> run(List<String> command) throws IOException, InterruptedException {
        Path log = folder.resolve("log");
        var process = new ProcessBuilder(command)
                .directory(folder.toFile())
                .redirectErrorStream(true)
                .redirectOutput(log.toFile())
                .start();
        try {
            assertThat(process.waitFor(100, TimeUnit.SECONDS) && process.exitValue() == 0)
                    .as(Files.readString(log))
                    .isTrue();
            return Files.readAllLines(log);
        } finally {
            process.destroyForcibly();
        }
    }

    private void publish(String module, Path file, String type) throws IOException {
        String name = "mcp-bridge-" + module;
        String path = "repository/io/mcpbridge/%s/%s/%s-%s.%s".formatted(name, VERSION, name, VERSION, type);
        copy(file, folder.resolve(path));
        if (type.equals("pom")) {
            // As a release does.
            Files.writeString(folder.resolve(path), Files.readString(file).replace("${revision}", VERSION));
        }
    }

    private static void copy(Path from, Path to) throws IOException {
        Files.createDirectories(to.getParent());
        Files.copy(from, to);
    }

    /** The modules that a pom names, its own included. */
    private static List<String> artifacts(Path pom) throws IOException {
        return ARTIFACT.matcher(Files.readString(pom))
                .results()
                .map(it -> it.group(1))
                .distinct()
                .toList();
    }

    private static boolean isWindows() {
        return System.getProperty("os.name").startsWith("Windows");
    }
}
