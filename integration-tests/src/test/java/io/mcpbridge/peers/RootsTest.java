package io.mcpbridge.peers;

import static org.assertj.core.api.Assertions.assertThat;

import io.mcpbridge.CallOptions;
import io.mcpbridge.Connection;
import io.mcpbridge.ConnectionOptions;
import io.mcpbridge.RootsHandler.Root;
import io.mcpbridge.testkit.Eventually;
import java.net.URI;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The official {@code server-everything} over standard streams, which requests roots right after its handshake. */
@RequiresPeers
@Timeout(60)
class RootsTest {

    @RegisterExtension
    static final TestDaemon DAEMON = new TestDaemon().server("everything", NodePeers::everything);

    private final AtomicInteger asked = new AtomicInteger();

    @Test
    void twoClientsAreEachAskedForTheirRoots() throws InterruptedException {
        try (var alice = connect("alice");
                var bob = connect("bob")) {
            alice.callTool("everything__echo", Map.of("message", "hi"));
            bob.callTool("everything__echo", Map.of("message", "hi"));
            Eventually.holds("both are asked outside of their calls", () -> asked.get() == 2);

            Eventually.holds("the roots of alice", () -> roots(alice).contains("file:///alice"));
            Eventually.holds("the roots of bob", () -> roots(bob).contains("file:///bob"));
            assertThat(roots(alice)).doesNotContain("bob");
            assertThat(roots(bob)).doesNotContain("alice");
        }
    }

    @Test
    void clientThatOnlyListsIsAskedForItsRoots() throws InterruptedException {
        try (var carol = connect("carol")) {
            carol.listTools();

            Eventually.holds("it is asked", () -> asked.get() == 1);
        }
    }

    private static String roots(Connection client) {
        return client.callToolAsync("everything__get-roots-list", Map.of(), CallOptions.DEFAULTS)
                .join()
                .json()
                .text();
    }

    private Connection connect(String name) throws InterruptedException {
        var options = ConnectionOptions.DEFAULTS
                .withRetryPolicy("none")
                .withMaxAttempts(1)
                .with("protocol", "legacy")
                .withRootsHandler(request -> {
                    asked.incrementAndGet();
                    return List.of(new Root(URI.create("file:///" + name), name));
                });
        return Connection.to(URI.create("unix:" + DAEMON.socket()), options);
    }
}
