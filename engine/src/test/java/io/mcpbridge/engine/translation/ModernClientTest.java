package io.mcpbridge.engine.translation;

import static io.mcpbridge.engine.translation.ModernTestClient.ACCEPTED;
import static io.mcpbridge.engine.translation.ModernTestClient.FORM;
import static io.mcpbridge.engine.translation.ModernTestClient.isRefused;
import static org.assertj.core.api.Assertions.assertThat;

import io.mcpbridge.call.Caller;
import io.mcpbridge.failure.ErrorCode;
import io.mcpbridge.message.Era;
import io.mcpbridge.message.MessageField;
import io.mcpbridge.message.Methods;
import io.mcpbridge.message.Notification;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** A client of the modern era before a server of the legacy one: its call is suspended while it looks for answers. */
class ModernClientTest {
    private final TranslationBench bench = new TranslationBench(Era.LEGACY);
    private final ModernTestClient client = new ModernTestClient(bench);

    @Test
    void serverRequestBecomesAnInputRequiredResult() {
        var reply = client.toolCall();
        client.ask(
                Methods.ELICITATION_CREATE,
                "{\"_meta\":{\"progressToken\":1},\"elicitationId\":\"e\"," + FORM.substring(1));
        assertThat(reply.isDone()).isFalse();
        client.gather();

        var result = reply.awaitAnswer();
        assertThat(result.text(MessageField.RESULT_TYPE)).contains("input_required");
        assertThat(result.raw(MessageField.INPUT_REQUESTS))
                .contains("{\"input-1\":{\"method\":\"elicitation/create\",\"params\":" + FORM + "}}");
        assertThat(result.text(MessageField.RESULT_STATE).orElse("")).startsWith("mcpb1.");
    }

    @Test
    void answersReachTheServerAndItsResultTheClient() {
        var first = client.toolCall();
        var question = client.ask();
        client.gather();
        var second = client.retry(first.awaitAnswer(), "{\"input-1\":" + ACCEPTED + ",\"other\":{}}");
        assertThat(question.answer()).isEqualTo(ACCEPTED);
        assertThat(second.isDone()).isFalse();
        bench.server.last().answer("{\"content\":[]}");

        assertThat(second.awaitAnswer().raw(MessageField.RESULT)).contains("{\"content\":[]}");
        assertThat(bench.server.count()).isEqualTo(1);
        assertThat(first.outcomes()).hasSize(1);
        assertThat(question.reply().outcomes()).hasSize(1);
        assertThat(bench.suspendedCalls.status()).isEqualTo(new SuspendedCalls.Status(0, Optional.empty(), 0));
        assertThat(bench.time.pendingAlarms()).isZero();
    }

    @Test
    void concurrentServerRequestsFormOneRound() {
        var reply = client.toolCall();
        var one = client.ask();
        var other = client.ask(Methods.SAMPLING_CREATE_MESSAGE, "{\"messages\":[],\"maxTokens\":1}");
        var roots = client.ask(Methods.ROOTS_LIST, "");
        client.gather();
        var answers = "{\"input-1\":%s,\"input-2\":{\"role\":\"assistant\",\"content\":{}},\"input-3\":{\"roots\":[]}}";
        client.retry(reply.awaitAnswer(), answers.formatted(ACCEPTED));

        assertThat(one.answer()).isEqualTo(ACCEPTED);
        assertThat(other.answer()).isEqualTo("{\"role\":\"assistant\",\"content\":{}}");
        assertThat(roots.answer()).isEqualTo("{\"roots\":[]}");
    }

    @Test
    void laterServerRequestsFormTheNextRound() {
        var first = client.toolCall();
        client.ask();
        client.ask();
        client.gather();
        client.ask();
        var second = client.retry(first.awaitAnswer(), "{\"input-1\":%1$s,\"input-2\":%1$s}".formatted(ACCEPTED));
        assertThat(second.isDone()).isFalse();
        client.ask();
        client.gather();

        assertThat(first.awaitAnswer().raw(MessageField.INPUT_REQUESTS).orElse(""))
                .contains("input-1", "input-2")
                .doesNotContain("input-3");
        assertThat(second.awaitAnswer().raw(MessageField.INPUT_REQUESTS).orElse(""))
                .contains("input-3", "input-4");
        assertThat(client.isPinged()).isFalse();
    }

    @Test
    void completeRoundIsSentWhenTheClientReturns() {
        var first = client.suspended(client.toolCall());
        client.ask();
        client.gather();

        assertThat(client.retry(first, "{\"input-1\":" + ACCEPTED + "}")
                        .awaitAnswer()
                        .raw(MessageField.INPUT_REQUESTS)
                        .orElse(""))
                .contains("input-2");
    }

    @Test
    void inProcessServerIsNotPinged() {
        var reply = client.toolCall();
        var question = client.askWithoutConnection();

        assertThat(reply.awaitAnswer().has(MessageField.INPUT_REQUESTS)).isTrue();
        assertThat(question.reply().isDone()).isFalse();
    }

    @Test
    void serverMaySendAnotherRequest() {
        var first = client.suspended(client.toolCall());
        var second = client.retry(first, "{\"input-1\":" + ACCEPTED + "}");
        var question = client.ask();
        client.gather();
        var third = client.retry(second.awaitAnswer(), "{\"input-2\":{\"action\":\"decline\"}}");
        bench.server.last().answer("{\"content\":[]}");

        assertThat(question.answer()).isEqualTo("{\"action\":\"decline\"}");
        assertThat(third.awaitAnswer().has(MessageField.CONTENT)).isTrue();
    }

    @Test
    void serverRequestToASuspendedCallIsSentInTheNextRound() {
        var first = client.suspended(client.toolCall());
        client.ask();
        var second = client.retry(first, "{\"input-1\":" + ACCEPTED + "}");
        client.gather();

        assertThat(second.awaitAnswer().raw(MessageField.INPUT_REQUESTS).orElse(""))
                .contains("input-2");
    }

    @Test
    void serverMayChooseTheInputKey() {
        var reply = client.toolCall();
        client.ask(Methods.ELICITATION_CREATE, "{\"_meta\":{\"io.mcpbridge/inputKey\":\"who\"}," + FORM.substring(1));
        client.ask(Methods.ELICITATION_CREATE, "{\"_meta\":{\"io.mcpbridge/inputKey\":\"who\"}," + FORM.substring(1));
        client.ask(Methods.ELICITATION_CREATE, "{\"_meta\":{\"io.mcpbridge/inputKey\":\"w h o\"}," + FORM.substring(1));
        client.gather();

        assertThat(reply.awaitAnswer().raw(MessageField.INPUT_REQUESTS).orElse(""))
                .contains("\"who\":", "\"input-1\":", "\"input-2\":")
                .doesNotContain("inputKey");
    }

    @Test
    void inputAnsweredInAdvanceIsNotRequested() {
        var early = "{\"name\":\"book\",\"inputResponses\":{\"who\":" + ACCEPTED + ",\"input-1\":7}}";
        var reply = bench.send(bench.call(Methods.TOOLS_CALL, early, TranslationBench.modern()));
        var who = client.ask(
                Methods.ELICITATION_CREATE, "{\"_meta\":{\"io.mcpbridge/inputKey\":\"who\"}," + FORM.substring(1));
        client.ask();
        client.gather();

        assertThat(who.answer()).isEqualTo(ACCEPTED);
        assertThat(reply.awaitAnswer().raw(MessageField.INPUT_REQUESTS).orElse(""))
                .contains("input-1")
                .doesNotContain("who\"");
    }

    @Test
    void roundMembersAreRemovedForALegacyServer() {
        bench.send(
                bench.call(Methods.TOOLS_CALL, "{\"name\":\"book\",\"inputResponses\":{}}", TranslationBench.modern()));
        bench.send(bench.call(
                Methods.COMPLETION_COMPLETE, "{\"requestState\":\"x\",\"ref\":{}}", TranslationBench.modern()));

        assertThat(bench.server.number(0).params()).isEqualTo("{\"name\":\"book\"}");
        assertThat(bench.server.number(1).params()).isEqualTo("{\"ref\":{}}");
    }

    @Test
    void serverSeesAllCapabilitiesForAModernClient() {
        var caller = TranslationBench.modern("alice", "{}");
        bench.send(bench.toolCall(caller));

        assertThat(bench.server.last().call().caller().promised()).isEqualTo(Caller.EVERYTHING);
        assertThat(bench.server.last().call().caller().declared()).isEqualTo("{}");
    }

    @Test
    void methodsWithoutRoundsRejectServerRequests() {
        bench.send(bench.call(Methods.COMPLETION_COMPLETE, "{}", TranslationBench.modern()));
        var question = client.ask();

        assertThat(question.reply().awaitFailure().code()).isEqualTo(ErrorCode.METHOD_NOT_FOUND);
    }

    @Test
    void progressReachesTheWaitingCallers() {
        var progress = Notification.of(Methods.PROGRESS, "{\"progressToken\":1,\"progress\":1}");
        var first = client.toolCall();
        bench.server.last().reply().event(progress);
        var asked = client.suspended(first);
        bench.server.last().reply().event(progress);
        var second = client.retry(asked, "{\"input-1\":" + ACCEPTED + "}");
        bench.server.last().reply().event(progress);

        assertThat(first.events()).hasSize(1);
        assertThat(second.events()).hasSize(1);
    }

    static Stream<Arguments> insufficient() {
        return Stream.of(
                Arguments.argumentSet("nothing", "{}"),
                Arguments.argumentSet("another key", "{\"input-9\":" + ACCEPTED + "}"),
                Arguments.argumentSet("no object", "{\"input-1\":\"accept\"}"),
                Arguments.argumentSet("no action", "{\"input-1\":{}}"),
                Arguments.argumentSet("an unknown action", "{\"input-1\":{\"action\":\"maybe\"}}"),
                Arguments.argumentSet(
                        "content that is no object", "{\"input-1\":{\"action\":\"accept\",\"content\":1}}"));
    }

    @ParameterizedTest
    @MethodSource("insufficient")
    void missingOrInvalidAnswersAreRequestedAgain(String answers) {
        var first = client.toolCall();
        var question = client.ask();
        client.gather();
        var asked = first.awaitAnswer();
        var again = client.retry(asked, answers).awaitAnswer();
        assertThat(again.raw(MessageField.RESULT)).isEqualTo(asked.raw(MessageField.RESULT));
        assertThat(question.reply().isDone()).isFalse();

        client.retry(again, "{\"input-1\":" + ACCEPTED + "}");
        assertThat(question.answer()).isEqualTo(ACCEPTED);
    }

    @Test
    void nonObjectAnswersAreRejected() {
        isRefused(client.retry(client.suspended(client.toolCall()), "[]"), "'inputResponses' must be an object");
    }
}
