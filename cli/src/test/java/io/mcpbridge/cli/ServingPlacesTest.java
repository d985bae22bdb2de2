package io.mcpbridge.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** Row D9 of the fault matrix: a daemon that cannot create its socket at the configured path. */
@Timeout(60)
@EnabledOnOs(OS.LINUX)
class ServingPlacesTest {

    /** Serves on a read-only file system that is mounted in a private namespace. */
    private static final String ON_READ_ONLY = """
        mount -t tmpfs -o mode=700 none "$1" && mkdir -m 700 "$1/run" && mount -o remount,ro "$1" || exit 99
        "$2" -XX:TieredStopAtLevel=1 -cp "$3" io.mcpbridge.cli.Main serve --config "$4" --mcp-bridge-socket "$1/run/b.sock"
        echo "exit $?"; ls -A "$1/run"
        """;

    @TempDir
    private Path folder;

    private Path file;

    @BeforeEach
    void configure() throws IOException {
        file = Files.writeString(folder.resolve("mcp.json"), "{\"mcpServers\": {}}");
    }

    @Test
    @DisplayName("D9: the daemon ends with a message and an exit code if it cannot create a folder")
    void daemonEndsIfItCannotCreateTheSocketFolder() {
        var run = RunCommand.of("serve", "--config", file.toString(), "--mcp-bridge-socket", "/proc/none/b.sock");

        assertThat(run.exitCode()).isEqualTo(ExitCode.CANNOT_CONNECT);
        assertThat(run.err()).contains("Cannot listen on '/proc/none/b.sock'", "folder that you may write to");
    }

    @Test
    @DisplayName(
            "D9: on a read-only file system the daemon ends with a message and an exit code, and leaves nothing behind")
    void daemonEndsOnAReadOnlyFileSystem() throws Exception {
        assumeTrue(canMount(), "needs root and 'unshare' to mount a file system of its own");
        var mount = Files.createDirectory(folder.resolve("ro"));
        var said = folder.resolve("said");

        var process = new ProcessBuilder(
                        "unshare",
                        "-m",
                        "sh",
                        "-c",
                        ON_READ_ONLY,
                        "sh",
                        mount.toString(),
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        System.getProperty("java.class.path"),
                        file.toString())
                .redirectErrorStream(true)
                .redirectOutput(said.toFile())
                .start();

        assertThat(process.waitFor(40, TimeUnit.SECONDS)).isTrue();
        assertThat(Files.readString(said))
                .contains("Read-only file system", "folder that you may write to")
                .endsWith("exit " + ExitCode.CANNOT_CONNECT + "\n");
    }

    private static boolean canMount() throws IOException, InterruptedException {
        try {
            var trial = new ProcessBuilder("unshare", "-m", "mount", "-t", "tmpfs", "none", "/mnt").start();
            return trial.waitFor() == 0;
        } catch (IOException noSuchCommand) {
            return false;
        }
    }
}
