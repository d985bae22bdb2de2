package io.mcpbridge.gateway;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A program that only uses the library keeps its own JVM: rows A10 of the contract and L12 of the fault matrix. */
@Timeout(60)
class LibraryOnlyTest {
    private static final int ENDED_BY_TERM = 128 + 15;

    private Path folder;
    private Process program;

    @BeforeEach
    void startTheProgram() throws Exception {
        folder = Files.createTempDirectory("lo");
        program = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-XX:TieredStopAtLevel=1",
                        "--add-opens=java.base/java.lang=ALL-UNNAMED",
                        "--add-opens=java.base/jdk.internal.misc=ALL-UNNAMED",
                        "-cp",
                        System.getProperty("java.class.path"),
                        LibraryProgram.class.getName(),
                        folder.toString())
                .redirectError(folder.resolve("log").toFile())
                .start();
    }

    @AfterEach
    void endTheProgram() throws Exception {
        program.destroyForcibly().waitFor();
        try (var files = Files.walk(folder)) {
            for (var file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(file);
            }
        }
    }

    @Test
    @DisplayName("A10, L12: connecting and calling installs no shutdown hook and no signal handler")
    void connectionInstallsNoShutdownHookAndNoSignalHandler() throws Exception {
        var said = program.inputReader(UTF_8).readLine();

        assertThat(said).as(Files.readString(folder.resolve("log"))).isEqualTo("nothing");
    }

    @Test
    @DisplayName("L12: SIGTERM ends a program with open connections at once, as it ends any other")
    void sigtermEndsTheProgramAtOnce() throws Exception {
        assertThat(program.inputReader(UTF_8).readLine()).isNotNull();

        program.toHandle().destroy();

        assertThat(program.waitFor(30, TimeUnit.SECONDS)).isTrue();
        assertThat(program.exitValue()).isEqualTo(ENDED_BY_TERM);
    }
}
