package io.mcpbridge.integration.command;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.io.File;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The merged jar and the option parser, which the Maven build makes for the script {@code mcp-bridge}. */
@Timeout(60)
class CommandJarsTest {
    @TempDir
    private Path folder;

    private Path jars;

    /** What one command has printed. */
    private record Run(int exitCode, String out, String err) {}

    @BeforeEach
    void find() {
        jars = Stream.iterate(Path.of("").toAbsolutePath(), Path::getParent)
                .map(parent -> parent.resolve("cli"))
                .filter(Files::isDirectory)
                .findFirst()
                .orElseThrow()
                .resolve("target/command-jars");
        assumeThat(jars.resolve("mcp-bridge.jar")).as("made by Maven only").exists();
    }

    @Test
    void mergedJarHasTheProvidersOfAllModules() throws Exception {
        var run = run("version", "--plugins");

        assertThat(run.exitCode()).as(run.err()).isZero();
        assertThat(run.out()
                        .lines()
                        .map(line -> line.replaceFirst(" +[^ ]+$", "").replaceAll(" +", " ")))
                .contains(
                        "Transport http",
                        "Transport stdio",
                        "Transport unix",
                        "RetryPolicy safe",
                        "AuditSink file",
                        "ToolCatalog pinned",
                        "SchemaCheck json-schema",
                        "CallObserver opentelemetry",
                        "ProcessLauncher sandbox");
    }

    @Test
    void mistakeInArgumentsIsExplained() throws Exception {
        var run = run("tools", "--unknown");

        assertThat(run.exitCode()).isEqualTo(2);
        assertThat(run.err()).startsWith("mcp-bridge: Unknown option: '--unknown'");
    }

    private Run run(String... arguments) throws Exception {
        var command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-cp",
                jars.resolve("mcp-bridge.jar") + File.pathSeparator + jars.resolve("picocli.jar"),
                "io.mcpbridge.cli.Main"));
        command.addAll(List.of(arguments));
        var out = folder.resolve("out");
        var err = folder.resolve("err");
        var process = new ProcessBuilder(command)
                .redirectOutput(out.toFile())
                .redirectError(err.toFile())
                .start();
        var exitCode = process.waitFor();
        return new Run(
                exitCode, Files.readString(out, StandardCharsets.UTF_8), Files.readString(err, StandardCharsets.UTF_8));
    }
}
