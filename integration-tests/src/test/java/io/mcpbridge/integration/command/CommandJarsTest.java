package io.mcpbridge.integration.command;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.io.File;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
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
    void jarWithClassesOfLambdasWorksAlike() throws Exception {
        assumeThat(ModuleLayer.boot().findModule("java.base").orElseThrow().getPackages())
                .contains("jdk.internal.org.objectweb.asm.commons");
        var plain = run("version", "--plugins");
        var source = jars.resolveSibling("../src/main/command/LambdaClasses.java");
        var asm = "java.base/jdk.internal.org.objectweb.asm";
        var copy = folder.resolve("mcp-bridge.jar");

        var copied = java(
                "--add-exports=" + asm + "=ALL-UNNAMED",
                "--add-exports=" + asm + ".commons=ALL-UNNAMED",
                "--add-exports=" + asm + ".tree=ALL-UNNAMED",
                source.toString(),
                jars.resolve("mcp-bridge.jar").toString(),
                copy.toString());
        var run = runOf(copy, "version", "--plugins");

        assertThat(copied.err()).isEmpty();
        assertThat(run.err()).isEmpty();
        assertThat(run.out()
                        .replace(copy.toString(), jars.resolve("mcp-bridge.jar").toString()))
                .isEqualTo(plain.out());
        try (var jar = new JarFile(copy.toFile())) {
            assertThat(jar.stream().map(JarEntry::getName))
                    .anyMatch(name -> name.startsWith("io/mcpbridge/cli/Main$$L"));
        }
    }

    @Test
    void mistakeInArgumentsIsExplained() throws Exception {
        var run = run("tools", "--unknown");

        assertThat(run.exitCode()).isEqualTo(2);
        assertThat(run.err()).startsWith("mcp-bridge: Unknown option: '--unknown'");
    }

    private Run run(String... arguments) throws Exception {
        return runOf(jars.resolve("mcp-bridge.jar"), arguments);
    }

    private Run runOf(Path jar, String... arguments) throws Exception {
        var words = new ArrayList<>(
                List.of("-cp", jar + File.pathSeparator + jars.resolve("picocli.jar"), "io.mcpbridge.cli.Main"));
        words.addAll(List.of(arguments));
        return java(words.toArray(String[]::new));
    }

    private Run java(String... arguments) throws Exception {
        var command = new ArrayList<>(
                List.of(Path.of(System.getProperty("java.home"), "bin", "java").toString()));
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
