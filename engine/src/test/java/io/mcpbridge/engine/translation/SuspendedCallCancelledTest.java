package io.mcpbridge.engine.translation;

import static io.mcpbridge.engine.translation.ModernTestClient.ACCEPTED;
import static org.assertj.core.api.Assertions.assertThat;

import io.mcpbridge.call.CancelReason;
import io.mcpbridge.failure.ErrorCode;
import io.mcpbridge.message.Era;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** A client that disconnects while it waits cancels its call; one that was asked for input may return. */
class SuspendedCallCancelledTest {
    private final TranslationBench bench = new TranslationBench(Era.LEGACY);
    private final ModernTestClient client = new ModernTestClient(bench);

    @Test
    void waitingCallIsCancelledWhenItsClientDisconnects() {
        var call = bench.toolCall(TranslationBench.modern());
        var reply = bench.send(call);
        call.cancellation().cancel(CancelReason.CLIENT_GONE);

        assertThat(bench.server.last().isCancelled()).isTrue();
        assertThat(reply.awaitFailure().code()).isEqualTo(ErrorCode.CANCELLED);
    }

    @Test
    void suspendedCallSurvivesADisconnect() {
        var call = bench.toolCall(TranslationBench.modern());
        var asked = client.suspended(bench.send(call));
        call.cancellation().cancel(CancelReason.CLIENT_GONE);
        assertThat(bench.server.last().isCancelled()).isFalse();

        var second = bench.retry(TranslationBench.modern(), asked, "{\"input-1\":" + ACCEPTED + "}");
        bench.send(second);
        second.cancellation().cancel(CancelReason.CLIENT_CANCELLED);
        assertThat(bench.server.last().isCancelled()).isTrue();
    }

    @Test
    void suspendedTimeDoesNotCountAgainstTheDeadline() {
        var call = bench.toolCall(TranslationBench.modern());
        bench.time.advance(Duration.ofSeconds(49));
        var asked = client.suspended(bench.send(call));
        bench.time.advance(Duration.ofMinutes(9));
        var second = client.retry(asked, "{\"input-1\":" + ACCEPTED + "}");
        bench.time.advance(Duration.ofSeconds(10));
        assertThat(bench.server.last().isCancelled()).isFalse();
        bench.time.advance(Duration.ofSeconds(1));

        assertThat(bench.server.last().isCancelled()).isTrue();
        assertThat(second.awaitFailure().message()).contains("timed out");
    }
}
