package io.mcpbridge.gateway;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.mcpbridge.testkit.Eventually;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

/** The interrupt key at a terminal, which signals the whole process group of the daemon. */
@Timeout(60)
@EnabledOnOs(OS.LINUX)
class InterruptKeyTest {

    @Test
    void callsOfChildrenCompleteDuringTheDrain() throws Exception {
        assumeTrue(Files.isExecutable(Path.of("/usr/bin/setsid")), "setsid of util-linux is not installed");
        try (var fixture = new DaemonFixture()) {
            fixture.unix("tool", new ToolScript("tool", "echo"));
            fixture.child("child", "pipe");
            var file = Files.writeString(fixture.folder.resolve("mcp.json"), fixture.json());
            var pipe = fixture.folder.resolve("pipe");
            assertThat(new ProcessBuilder("mkfifo", pipe.toString()).start().waitFor())
                    .isZero();
            try (var daemon = DaemonProcess.startInItsGroup(file, fixture.folder.resolve("log"))) {
                Eventually.holds(
                        () -> "the daemon to listen; it says: " + daemon.log(),
                        () -> Files.exists(fixture.adminSocket()));
                interruptedCallEndsWell(fixture, daemon, pipe);
            }
        }
    }

    private static void interruptedCallEndsWell(DaemonFixture fixture, DaemonProcess daemon, Path pipe)
            throws Exception {
        var client = fixture.client("one");
        var call = client.callLater("child__pipe", "{\"pipe\":\"%s\"}".formatted(pipe));
        // Opening waits for the reader, so the child is at work then.
        try (var writer = Files.newOutputStream(pipe)) {
            var child = daemon.descendants().findFirst().orElseThrow();
            daemon.signalGroup("INT");
            Eventually.holds(
                    "new calls to be refused",
                    () -> client.call("tool__echo", "{}").json().contains("-31009"));

            assertThat(child.isAlive()).isTrue();
            writer.write('x');
        }

        assertThat(client.answer(call).isError()).isFalse();
        assertThat(daemon.exitCode()).isZero();
        assertThat(daemon.descendants()).isEmpty();
    }
}
