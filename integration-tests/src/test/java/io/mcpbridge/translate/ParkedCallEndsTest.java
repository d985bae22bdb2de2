package io.mcpbridge.translate;

import static io.mcpbridge.translate.ParkedClient.isRefused;
import static org.assertj.core.api.Assertions.assertThat;

import io.mcpbridge.call.CancelReason;
import io.mcpbridge.call.Outcome;
import io.mcpbridge.failure.ErrorCode;
import io.mcpbridge.failure.Failure;
import io.mcpbridge.message.Era;
import io.mcpbridge.message.Part;
import org.junit.jupiter.api.Test;

/** The server need not wait for the client. */
class ParkedCallEndsTest {
    private final TranslationBench bench = new TranslationBench(Era.LEGACY);
    private final ParkedClient client = new ParkedClient(bench);

    @Test
    void itsResultWaitsForTheClient() {
        var asked = client.parked(client.toolCall());
        bench.server.last().answer("{\"content\":[]}");
        var second = client.retry(asked, "{}");

        assertThat(second.awaitAnswer().raw(Part.RESULT)).contains("{\"content\":[]}");
        isRefused(client.retry(asked, "{}"), "lapsed");
        assertThat(bench.time.pendingAlarms()).isZero();
    }

    @Test
    void soDoesItsFailure() {
        var asked = client.parked(client.toolCall());
        bench.server.last().reply().done(Outcome.failed(Failure.of(ErrorCode.PROVIDER_CRASHED, "it is dead")));

        assertThat(client.retry(asked, "{}").awaitFailure().message()).isEqualTo("it is dead");
    }

    @Test
    void aQuestionThatItWithdrawsIsAskedNoMore() {
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
    void beforeItsQuestionIsGatheredNothingIsParked() {
        var reply = client.toolCall();
        var question = client.ask();
        bench.server.last().answer("{\"content\":[]}");
        client.gather();

        assertThat(reply.awaitAnswer().has(Part.CONTENT)).isTrue();
        assertThat(question.reply().awaitFailure().code()).isEqualTo(ErrorCode.CANCELLED);
        assertThat(bench.parked.status().parked()).isZero();
    }
}
