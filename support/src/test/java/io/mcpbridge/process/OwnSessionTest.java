package io.mcpbridge.process;

import static io.mcpbridge.process.Children.command;
import static io.mcpbridge.process.Children.exitCode;
import static io.mcpbridge.process.Children.output;
import static io.mcpbridge.process.Children.shell;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.mcpbridge.failure.TransportException;
import io.mcpbridge.spi.LaunchCommand;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** Children that are apart from our terminal are in everything else like others. */
@Timeout(60)
@EnabledOnOs(OS.LINUX)
class OwnSessionTest {
    private final PlainProcessLauncher launcher = PlainProcessLauncher.apart();

    @BeforeEach
    void requireSetsid() {
        assumeTrue(Files.isExecutable(Path.of("/usr/bin/setsid")), "setsid of util-linux is not installed");
    }

    @AfterEach
    void close() {
        launcher.close();
    }

    @Test
    void childLeadsASessionAndIsOurChild() throws Exception {
        // Fields 1, 4 and 6: the process, its parent and its session.
        var child = launcher.launch(shell("read -r pid name state parent group session rest </proc/$$/stat;"
                + " echo $pid $parent $session; exit 5"));

        assertThat(output(child))
                .isEqualTo("%1$d %2$d %1$d\n"
                        .formatted(child.pid(), ProcessHandle.current().pid()));
        assertThat(exitCode(child)).isEqualTo(5);
    }

    @Test
    void missingProgramIsReportedAsWithoutASession() {
        assertThatThrownBy(() -> launcher.launch(command("no-such-program")))
                .isInstanceOf(TransportException.class)
                .hasMessageContaining("Cannot start 'no-such-program': No such file or directory");
    }

    @Test
    void scriptWithoutItsInterpreterIsReportedAsWithoutASession(@TempDir Path folder) throws IOException {
        var script = executable(folder.resolve("script"), "#!/no/such/interpreter -x\n");

        assertThatThrownBy(() -> launcher.launch(command(script.toString())))
                .isInstanceOf(TransportException.class)
                .hasMessageContaining("script': No such file or directory");
    }

    @Test
    void programMayHaveTheNameOfAnOption(@TempDir Path folder) throws Exception {
        executable(folder.resolve("--help"), "#!/bin/sh\necho \"found $1\"\n");

        var child =
                launcher.launch(LaunchCommand.of(List.of("--help", "--version"), Map.of("PATH", folder.toString())));

        assertThat(output(child)).isEqualTo("found --version\n");
    }

    private static Path executable(Path file, String text) throws IOException {
        Files.writeString(file, text);
        assertThat(file.toFile().setExecutable(true)).isTrue();
        return file;
    }
}
