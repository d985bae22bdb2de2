package io.mcpbridge.process;

import static io.mcpbridge.process.Children.command;
import static io.mcpbridge.process.Children.exitCode;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.mcpbridge.spi.ChildProcess;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Fault row E23, with a process number that is really used again; only root can have that arranged. */
@Timeout(60)
class PidReuseTest {
    private static final Path LAST_PID = Path.of("/proc/sys/kernel/ns_last_pid");
    private static final int TRIES = 200;

    private final PlainProcessLauncher launcher = new PlainProcessLauncher();

    @AfterEach
    void close() {
        launcher.close();
    }

    @Test
    @DisplayName("E23: a process with the reused PID of an ended child is left alone")
    void processWithTheReusedPidOfAnEndedChildIsLeftAlone() throws Exception {
        assumeTrue(Files.isWritable(LAST_PID), LAST_PID + " cannot be written; run as root on Linux");
        var ended = launcher.launch(command("true"));
        exitCode(ended);
        var stranger = launchWithPid(ended.pid());

        ended.end(Duration.ZERO);

        assertThat(ProcessHandle.of(stranger.pid()).map(ProcessHandle::isAlive)).contains(true);
        assertThat(stranger.onExit().toCompletableFuture()).isNotDone();
    }

    private ChildProcess launchWithPid(long pid) throws IOException, InterruptedException {
        for (int i = 0; i < TRIES; i++) {
            Files.writeString(LAST_PID, Long.toString(pid - 1));
            var child = launcher.launch(command("sleep", "1000"));
            if (child.pid() == pid) {
                return child;
            }
            child.end(Duration.ZERO);
        }
        throw new IllegalStateException("number " + pid + " was not used again in " + TRIES + " tries");
    }
}
