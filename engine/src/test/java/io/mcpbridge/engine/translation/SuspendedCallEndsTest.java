package io.mcpbridge.engine.translation;

import static io.mcpbridge.engine.translation.ModernTestClient.isRefused;
import static org.assertj.core.api.Assertions.assertThat;

import io.mcpbridge.call.CancelReason;
import io.mcpbridge.call.Outcome;
import io.mcpbridge.config.BridgeSettings.SuspendedCallSettings;
import io.mcpbridge.failure.ErrorCode;
import io.mcpbridge.failure.Failure;
import io.mcpbridge.message.Era;
import io.mcpbridge.message.MessageField;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** The server need not wait for the client. */
class SuspendedCallEndsTest {
    private final TranslationBench bench = new TranslationBench(Era.LEGACY);
    private final ModernTestClient client = new ModernTestClient(bench);

    @Test
    void resultOfASuspendedCallWaitsForTheClient() {
        var asked = client.suspended(client.toolCall());
        bench.server.last().answer("{\"content\":[]}");
        var second = client.retry(asked, "{}");

        assertThat(second.awaitAnswer().raw(MessageField.RESULT)).contains("{\"content\":[]}");
        isRefused(client.retry(asked, "{}"), "lapsed");
        assertThat(bench.time.pendingAlarms()).isZero();
    }

    @Test
    void failureOfASuspendedCallWaitsForTheClient() {
        var asked = client.suspended(client.toolCall());
        bench.server.last().reply().complete(Outcome.failed(Failure.of(ErrorCode.PROVIDER_CRASHED, "it is dead")));

        assertThat(client.retry(asked, "{}").awaitFailure().message()).isEqualTo("it is dead");
    }

    @Test
    void defectInTheTranslationOfAResultEndsTheCall() {
        var reply = client.toolCall();
        bench.breakClock();

        bench.server.last().answer("{\"content\":[]}");

        assertThat(reply.awaitFailure().code()).isEqualTo(ErrorCode.INTERNAL_ERROR);
    }

    @Test
    void defectInTheTranslationOfAWaitingResultFreesItsPlace() {
        var small = new TranslationBench(Era.LEGACY, new SuspendedCallSettings(1, 1, Duration.ofMinutes(1)));
        var user = new ModernTestClient(small);
        var asked = user.suspended(user.toolCall());
        small.server.last().answer("{\"content\":[]}");
        small.breakClock();
        var second = user.retry(asked, "{}");
        small.repairClock();

        assertThat(second.awaitFailure().code()).isEqualTo(ErrorCode.INTERNAL_ERROR);
        assertThat(user.suspended(user.toolCall()).has(MessageField.INPUT_REQUESTS))
                .isTrue();
    }

    @Test
    void serverRequestCancelledByTheServerIsNotAskedAgain() {
        var first = client.toolCall();
        var question = client.ask();
        client.gather();
        question.call().cancellation().cancel(CancelReason.CLIENT_CANCELLED);
        var second = client.retry(first.awaitAnswer(), "{}");
        assertThat(second.isDone()).isFalse();
        bench.server.last().answer("{}");

        assertThat(second.awaitAnswer().isError()).isFalse();
        assertThat(question.reply().outcomes()).hasSize(1);
    }

    @Test
    void resultBeforeTheRoundIsCompleteSuspendsNothing() {
        var reply = client.toolCall();
        var question = client.ask();
        bench.server.last().answer("{\"content\":[]}");
        client.gather();

        assertThat(reply.awaitAnswer().has(MessageField.CONTENT)).isTrue();
        assertThat(question.reply().awaitFailure().code()).isEqualTo(ErrorCode.CANCELLED);
        assertThat(bench.suspendedCalls.status().suspended()).isZero();
    }
}
