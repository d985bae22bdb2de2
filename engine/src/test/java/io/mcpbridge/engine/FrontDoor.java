package io.mcpbridge.engine;

import io.mcpbridge.ConnectionOptions;
import io.mcpbridge.failure.CallException;
import io.mcpbridge.message.Methods;
import io.mcpbridge.message.Notification;
import io.mcpbridge.testkit.Eventually;
import io.mcpbridge.testkit.InMemoryTransportProvider;
import io.mcpbridge.testkit.ScriptedServer;
import java.net.URI;
import java.util.Map;

/** A server in this process, and how programs of the tests get to it. */
final class FrontDoor {
    static final URI HERE = URI.create("memory:here");
    static final Map<String, String> NO_ARGUMENTS = Map.of();

    final ScriptedServer server = new ScriptedServer().on(Methods.INITIALIZE, HeldTransport.WELCOME);
    final InMemoryTransportProvider provider = InMemoryTransportProvider.to(server);
    final ConnectionOptions options = ConnectionOptions.DEFAULTS
            .withTransport(provider)
            .withRetryPolicy("none")
            .withoutSchemaCheck();

    /** Waits until the server has received the cancellation of a call. */
    void awaitCancel() {
        Eventually.holds(
                "the cancellation",
                () -> server.received().stream()
                        .anyMatch(message -> message instanceof Notification note
                                && note.method().equals(Methods.CANCELLED)));
    }

    /** A call that may wait. */
    interface Waiting {
        Object call() throws InterruptedException;
    }

    /** What the call fails with. */
    static CallException failure(Waiting waiting) {
        try {
            throw new AssertionError("should have failed, but returned " + waiting.call());
        } catch (CallException failed) {
            return failed;
        } catch (InterruptedException interrupted) {
            throw new AssertionError(interrupted);
        }
    }
}
