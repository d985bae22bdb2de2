package io.mcpbridge.integration.bom;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;

/**
 * Builds a project that imports the BOM, in a Maven of its own.
 *
 * <p>The modules are put where their poms say into an empty local repository, so that nothing needs
 * to be installed first. All else comes from the local repository of the outer build.
 */
@Timeout(120)
@EnabledIfSystemProperty(named = "maven.home", matches = ".+", disabledReason = "only Maven makes what is published")
class BomConsumerTest {

    private static final Pattern ARTIFACT = Pattern.compile("<artifactId>mcp-bridge-([\\w-]+)</artifactId>");

    private static final Path ROOT = Path.of("").toAbsolutePath().resolveSibling("");

    private static final String VERSION = System.getProperty("mcp-bridge.version", "");

    @TempDir
    private Path folder;

    @Test
    void everyModuleIsPickedWithoutItsVersion() throws IOException, InterruptedException {
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

        Path log = folder.resolve("log");
        boolean built = compileConsumer(log);

        assertThat(built).as(Files.readString(log)).isTrue();
        assertThat(folder.resolve("target/classes/consumer/Consumer.class")).exists();
    }

    private boolean compileConsumer(Path log) throws IOException, InterruptedException {
        Path source = ROOT.resolve("integration-tests/bom-consumer");
        copy(source.resolve("pom.xml"), folder.resolve("pom.xml"));
        String type = "src/main/java/consumer/Consumer.java";
        copy(source.resolve(type), folder.resolve(type));
        var process = new ProcessBuilder(
                        Path.of(System.getProperty("maven.home"), "bin", isWindows() ? "mvn.cmd" : "mvn")
                                .toString(),
                        "--batch-mode",
                        "--no-transfer-progress",
                        "-Dmcp-bridge.version=" + VERSION,
                        "-Dmaven.repo.local=" + folder.resolve("repository"),
                        "-Dmaven.repo.local.tail=" + System.getProperty("maven.repo.local"),
                        "compile")
                .directory(folder.toFile())
                .redirectErrorStream(true)
                .redirectOutput(log.toFile())
                .start();
        try {
            return process.waitFor(100, TimeUnit.SECONDS) && process.exitValue() == 0;
        } finally {
            process.destroyForcibly();
        }
    }

    private void publish(String module, Path file, String type) throws IOException {
        String name = "mcp-bridge-" + module;
        String path = "repository/io/mcpbridge/%s/%s/%s-%s.%s".formatted(name, VERSION, name, VERSION, type);
        copy(file, folder.resolve(path));
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
