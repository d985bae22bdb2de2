package io.mcpbridge.peers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.mcpbridge.CallOptions;
import io.mcpbridge.failure.CallException;
import io.mcpbridge.testkit.Eventually;
import io.mcpbridge.tool.Progress;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/** A server of others that is killed while it works. */
@RequiresPeers
@Timeout(60)
class KilledServerTest {

    @RegisterExtension
    static final TestDaemon DAEMON = new TestDaemon().server("everything", NodePeers::everything);

    @Test
    void killedServerFailsTheCallAtOnceAndIsRestartedByTheNext() throws Exception {
        var heard = new CopyOnWriteArrayList<Progress>();
        try (var client = DAEMON.connect()) {
            var call = client.callToolAsync(
                    "everything__trigger-long-running-operation",
                    Map.of("duration", 25, "steps", 250),
                    CallOptions.DEFAULTS.withProgress(heard::add));
            Eventually.holds("progress", () -> !heard.isEmpty());

            killChildren();

            assertThatThrownBy(() -> call.get(30, TimeUnit.SECONDS))
                    .isInstanceOf(ExecutionException.class)
                    .cause()
                    .isInstanceOf(CallException.class)
                    .hasMessageContainingAll("everything", "exit code 137");
            assertThat(client.callTool("everything__echo", Map.of("message", "again"))
                            .json()
                            .text())
                    .contains("Echo: again");
        }
    }

    private static void killChildren() {
        var killed = ProcessHandle.current()
                .descendants()
                .filter(child -> child.info().command().orElse("").endsWith("node"))
                .toList();
        assertThat(killed).hasSize(1);
        killed.forEach(ProcessHandle::destroyForcibly);
    }
}
