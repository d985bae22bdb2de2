package io.mcpbridge.peers;

import static org.assertj.core.api.Assertions.assertThat;

import io.mcpbridge.CallOptions;
import io.mcpbridge.Connection;
import io.mcpbridge.ConnectionOptions;
import io.mcpbridge.ElicitationHandler;
import io.mcpbridge.ElicitationHandler.ElicitResult;
import io.mcpbridge.tool.ToolResult;
import java.net.URI;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Two clients whose calls cause concurrent requests of {@code server-everything} over the streams of one child. */
@RequiresPeers
@Timeout(60)
class AskedAtOnceTest {
    private static final String TOOL = "everything__trigger-elicitation-request";

    @RegisterExtension
    static final TestDaemon DAEMON = new TestDaemon().server("everything", NodePeers::everything);

    private final CyclicBarrier bothAreAsked = new CyclicBarrier(2);

    @Test
    void serverRequestsReachTheClientOfTheirCall() throws Exception {
        try (var alice = connect(answering("Alice"));
                var bob = connect(answering("Bob"))) {
            var toAlice = ask(alice);
            var toBob = ask(bob);

            assertThat(toAlice.get(30, TimeUnit.SECONDS).json().text())
                    .contains("Name: Alice")
                    .doesNotContain("Bob");
            assertThat(toBob.get(30, TimeUnit.SECONDS).json().text())
                    .contains("Name: Bob")
                    .doesNotContain("Alice");
        }
    }

    @Test
    void serverRequestReachesItsClientWhileAnotherWithoutCapabilitiesWorks() throws Exception {
        try (var alice = connect(request -> accepted("Alice"));
                var bob = DAEMON.connect()) {
            var working = bob.callToolAsync(
                    "everything__trigger-long-running-operation",
                    Map.of("duration", 2, "steps", 1),
                    CallOptions.DEFAULTS);

            assertThat(ask(alice).get(30, TimeUnit.SECONDS).json().text()).contains("Name: Alice");
            assertThat(working.get(30, TimeUnit.SECONDS).isError()).isFalse();
        }
    }

    /** Answers only after both clients have received a request. */
    private ElicitationHandler answering(String name) {
        return request -> {
            bothAreAsked.await(30, TimeUnit.SECONDS);
            return accepted(name);
        };
    }

    private static ElicitResult accepted(String name) {
        return ElicitResult.accept(Map.of("name", name));
    }

    private static Connection connect(ElicitationHandler handler) throws InterruptedException {
        var options = ConnectionOptions.DEFAULTS
                .withRetryPolicy("none")
                .withMaxAttempts(1)
                .withElicitationHandler(handler);
        return Connection.to(URI.create("unix:" + DAEMON.socket()), options);
    }

    private static CompletableFuture<ToolResult> ask(Connection client) {
        return client.callToolAsync(TOOL, Map.of(), CallOptions.DEFAULTS);
    }
}
