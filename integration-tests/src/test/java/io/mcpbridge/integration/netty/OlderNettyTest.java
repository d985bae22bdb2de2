package io.mcpbridge.integration.netty;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.mcpbridge.peers.JavaCommand;
import java.io.ByteArrayOutputStream;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;

/**
 * The HTTP transports and the listener on an older Netty, as where Spring Boot 3.5 manages it to 4.1.
 *
 * <p>Skipped if Maven cannot resolve that version, unless {@code MCP_BRIDGE_REQUIRE_PEERS} is true.
 */
@Timeout(240)
@EnabledIfSystemProperty(named = "maven.home", matches = ".+", disabledReason = "Maven resolves the other versions")
class OlderNettyTest {
    private static final Path HERE = Path.of("").toAbsolutePath();
    private static final Path PROJECT = HERE.resolve("older-netty/pom.xml");
    private static final Path SOURCES = HERE.resolveSibling("transport-http/src/main/java");

    @TempDir
    private Path folder;

    @Test
    void httpRunsOnNetty41() throws Exception {
        var ended = runOn("4.1.128.Final");

        assertThat(ended.output())
                .contains("over streamable", "over sse", "netty-common-4.1.128.Final.jar")
                .doesNotContain("Exception", "Error");
        assertThat(ended.exitCode()).isZero();
    }

    @Test
    void tooOldNettyIsRejected() throws Exception {
        var ended = runOn("4.1.121.Final");

        assertThat(ended.output()).contains("Cannot use Netty 4.1.121.Final for HTTP");
        assertThat(ended.exitCode()).isNotZero();
    }

    @Test
    void transportCompilesAgainstNetty41() throws Exception {
        var sources = new ArrayList<String>();
        try (var files = Files.walk(SOURCES)) {
            files.map(Path::toString)
                    .filter(file -> file.endsWith(".java") && !file.endsWith("module-info.java"))
                    .forEach(sources::add);
        }
        var arguments = new ArrayList<>(List.of("-proc:none", "-nowarn", "-d", folder.toString(), "-cp"));
        arguments.add(classPath("4.1.128.Final"));
        arguments.addAll(sources);
        var mistakes = new ByteArrayOutputStream();

        var exitCode = ToolProvider.getSystemJavaCompiler().run(null, null, mistakes, arguments.toArray(new String[0]));

        assertThat(exitCode).as(mistakes.toString(UTF_8)).isZero();
    }

    private Ended runOn(String version) throws IOException, InterruptedException {
        var command = new ArrayList<>(JavaCommand.of(ServedOverHttp.class.getName()));
        command.set(command.indexOf("-cp") + 1, classPath(version));
        return run(command);
    }

    /** The class path of this test, with another Netty. */
    private String classPath(String version) throws IOException, InterruptedException {
        var ours = Arrays.stream(System.getProperty("java.class.path").split(File.pathSeparator, -1))
                .filter(entry -> !Path.of(entry).getFileName().toString().startsWith("netty-"))
                .collect(Collectors.joining(File.pathSeparator));
        return nettyClassPath(version) + File.pathSeparator + ours;
    }

    private String nettyClassPath(String version) throws IOException, InterruptedException {
        var file = folder.resolve("class-path");
        var resolved = run(List.of(
                Path.of(System.getProperty("maven.home"), "bin", "mvn").toString(),
                "--batch-mode",
                "--no-transfer-progress",
                "--file=" + PROJECT,
                "-Dnetty.version=" + version,
                "-Dclass-path.file=" + file,
                "-Dmaven.repo.local=" + System.getProperty("maven.repo.local"),
                "validate"));
        var isRequired = Boolean.parseBoolean(System.getenv("MCP_BRIDGE_REQUIRE_PEERS"));
        assumeTrue(resolved.exitCode() == 0 || isRequired, resolved.output());
        return Files.readString(file);
    }

    private Ended run(List<String> command) throws IOException, InterruptedException {
        var log = folder.resolve("log");
        var process = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(log.toFile())
                .start();
        try {
            assertThat(process.waitFor(100, TimeUnit.SECONDS)).as("it ended").isTrue();
            return new Ended(process.exitValue(), Files.readString(log));
        } finally {
            process.destroyForcibly();
        }
    }

    private record Ended(int exitCode, String output) {}
}
