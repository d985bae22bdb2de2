package io.mcpbridge.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.mcpbridge.CallOptions;
import io.mcpbridge.Connection;
import io.mcpbridge.failure.CallException;
import io.mcpbridge.testkit.LeakCheck;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Calls that are cancelled, and connections that their program closes. */
@Timeout(60)
class EndedConnectionTest {
    private final FrontDoor door = new FrontDoor();

    @Test
    void interruptedCallerCancelsTheCall() throws InterruptedException {
        try (var connection = Connection.to(FrontDoor.HERE, door.options)) {
            var ended = new CompletableFuture<Throwable>();
            var waiting = new Thread(() -> {
                try {
                    connection.callTool("echo", FrontDoor.NO_ARGUMENTS);
                } catch (InterruptedException | RuntimeException thrown) {
                    ended.complete(thrown);
                }
            });
            waiting.start();
            door.server.awaitRequest();

            waiting.interrupt();

            assertThat(ended.join()).isInstanceOf(InterruptedException.class);
            door.awaitCancel();
        }
    }

    @Test
    void cancelledFutureCancelsTheCall() throws InterruptedException {
        try (var connection = Connection.to(FrontDoor.HERE, door.options)) {
            var result = connection.callToolAsync("echo", FrontDoor.NO_ARGUMENTS, CallOptions.DEFAULTS);
            door.server.awaitRequest();

            assertThat(result.cancel(true)).isTrue();

            assertThatThrownBy(result::join).isInstanceOf(CancellationException.class);
            door.awaitCancel();
        }
    }

    @Test
    void closedConnectionLeavesNoResources() throws InterruptedException {
        var before = LeakCheck.now();

        Connection.to(FrontDoor.HERE, door.options).close();

        before.assertNothingLeft();
    }

    @Test
    @DisplayName("A8: closing twice is harmless, and a later call fails at once with a clear error")
    void closeIsIdempotentAndLaterCallsFailAtOnce() throws InterruptedException {
        var connection = Connection.to(FrontDoor.HERE, door.options);
        connection.close();
        connection.close();

        var failed = FrontDoor.failure(() -> connection.callTool("echo", FrontDoor.NO_ARGUMENTS));

        assertThat(failed).hasMessageContaining("is closed").hasMessageContaining("memory:here");
        assertThat(failed.retryable()).isFalse();
    }

    @Test
    void closeEndsPendingCalls() throws Exception {
        var connection = Connection.to(FrontDoor.HERE, door.options);
        var result = connection.callToolAsync("echo", FrontDoor.NO_ARGUMENTS, CallOptions.DEFAULTS);
        door.server.awaitRequest();

        connection.close();

        assertThatThrownBy(() -> result.get(30, TimeUnit.SECONDS))
                .isInstanceOf(ExecutionException.class)
                .hasCauseInstanceOf(CallException.class);
    }
}
