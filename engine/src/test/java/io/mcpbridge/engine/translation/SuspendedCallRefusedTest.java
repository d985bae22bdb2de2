package io.mcpbridge.engine.translation;

import static io.mcpbridge.engine.translation.ModernTestClient.FORM;
import static org.assertj.core.api.Assertions.assertThat;

import io.mcpbridge.call.Caller;
import io.mcpbridge.call.Outcome;
import io.mcpbridge.config.BridgeSettings.SuspendedCallSettings;
import io.mcpbridge.failure.Delivery;
import io.mcpbridge.failure.ErrorCode;
import io.mcpbridge.failure.Failure;
import io.mcpbridge.message.Era;
import io.mcpbridge.message.MessageField;
import io.mcpbridge.message.Methods;
import java.time.Duration;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** A client gets no input requests that it did not declare. */
class SuspendedCallRefusedTest {
    private final TranslationBench bench = new TranslationBench(Era.LEGACY);
    private final ModernTestClient client = new ModernTestClient(bench);

    static Stream<Arguments> undeclared() {
        var url = "{\"mode\":\"url\",\"message\":\"Pay\",\"url\":\"https://pay.example\"}";
        var tools = "{\"messages\":[],\"tools\":[]}";
        return Stream.of(
                Arguments.argumentSet(
                        "form", "{}", Methods.ELICITATION_CREATE, FORM, "{\"elicitation\":{\"form\":{}}}"),
                Arguments.argumentSet(
                        "url",
                        "{\"elicitation\":{}}",
                        Methods.ELICITATION_CREATE,
                        url,
                        "{\"elicitation\":{\"url\":{}}}"),
                Arguments.argumentSet("sampling", "{}", Methods.SAMPLING_CREATE_MESSAGE, "{}", "{\"sampling\":{}}"),
                Arguments.argumentSet(
                        "sampling with tools",
                        "{\"sampling\":{}}",
                        Methods.SAMPLING_CREATE_MESSAGE,
                        tools,
                        "{\"sampling\":{\"tools\":{}}}"),
                Arguments.argumentSet("roots", "{\"sampling\":{}}", Methods.ROOTS_LIST, "{}", "{\"roots\":{}}"));
    }

    @ParameterizedTest
    @MethodSource("undeclared")
    void callEndsWithTheMissingCapability(String declared, String method, String params, String required) {
        var reply = bench.send(bench.toolCall(TranslationBench.modern("alice", declared)));
        var question = client.ask(method, params);
        client.gather();
        assertThat(question.reply().awaitFailure().message()).contains("'" + method + "'", "did not declare");
        assertThat(reply.outcomes()).isEmpty();
        bench.server.last().answer("{\"content\":[],\"isError\":true}");

        var error = reply.awaitAnswer();
        assertThat(error.raw(MessageField.ERROR_CODE)).contains("-32021");
        assertThat(error.raw(MessageField.ERROR_DATA)).contains("{\"requiredCapabilities\":" + required + "}");
        assertThat(reply.outcomes()).hasSize(1);
        assertThat(bench.time.pendingAlarms()).isZero();
    }

    @Test
    void lostServerIsReportedInsteadOfTheMissingCapability() {
        var reply = bench.send(bench.toolCall(TranslationBench.modern("alice", "{}")));
        client.ask(Methods.ROOTS_LIST, "{}");
        client.gather();
        bench.server.last().reply().complete(Outcome.failed(Failure.of(ErrorCode.IN_DOUBT, "it is dead")));

        assertThat(reply.awaitFailure().message()).isEqualTo("it is dead");
    }

    @Test
    void serverMaySucceedDespiteARejectedRequest() {
        var reply = bench.send(bench.toolCall(TranslationBench.modern("alice", "{\"sampling\":{}}")));
        client.ask(Methods.ROOTS_LIST, "{}");
        client.gather();
        bench.server.last().answer("{\"content\":[]}");

        assertThat(reply.awaitAnswer().isError()).isFalse();
    }

    @Test
    void declaredCapabilityIsUsedDespiteARejectedRequest() {
        var reply = bench.send(bench.toolCall(TranslationBench.modern("alice", "{\"sampling\":{}}")));
        client.ask(Methods.ROOTS_LIST, "{}");
        client.ask(Methods.SAMPLING_CREATE_MESSAGE, "{}");
        client.gather();

        var asked = reply.awaitAnswer().raw(MessageField.INPUT_REQUESTS).orElseThrow();
        assertThat(asked).contains(Methods.SAMPLING_CREATE_MESSAGE).doesNotContain(Methods.ROOTS_LIST);
    }

    @Test
    void suspendedCallsPerUserAreLimited() {
        var bench = new TranslationBench(Era.LEGACY, new SuspendedCallSettings(10, 1, Duration.ofMinutes(1)));
        var client = new ModernTestClient(bench);
        client.suspended(client.toolCall());
        var reply = client.toolCall();
        client.ask();
        client.gather();

        var failure = reply.awaitFailure();
        assertThat(failure.code()).isEqualTo(ErrorCode.OVERLOADED);
        assertThat(failure.delivery()).isEqualTo(Delivery.UNKNOWN);
        assertThat(failure.message()).contains("1 calls", "'suspended-calls.max-calls-per-principal'");
        assertThat(bench.server.last().isCancelled()).isTrue();
        assertThat(bench.server.number(0).isCancelled()).isFalse();
    }

    @Test
    void suspendedCallsInTotalAreLimited() {
        var bench = new TranslationBench(Era.LEGACY, new SuspendedCallSettings(1, 1, Duration.ofMinutes(1)));
        var client = new ModernTestClient(bench);
        client.suspended(client.toolCall());
        var reply = bench.send(bench.toolCall(TranslationBench.modern("bob", Caller.EVERYTHING)));
        client.ask();
        client.gather();

        assertThat(reply.awaitFailure().message()).contains("'suspended-calls.max-calls'");
        bench.time.advance(Duration.ofMinutes(1));
        var later = bench.send(bench.toolCall(TranslationBench.modern("bob", Caller.EVERYTHING)));
        assertThat(client.suspended(later).has(MessageField.RESULT_STATE)).isTrue();
    }

    @Test
    void unknownServerRequestIsRejected() {
        client.toolCall();

        assertThat(client.ask("tools/list", "{}").reply().awaitFailure().code()).isEqualTo(ErrorCode.METHOD_NOT_FOUND);
    }

    @Test
    void unreadableServerRequestIsRejected() {
        client.toolCall();
        var question = client.ask(Methods.ELICITATION_CREATE, "{\"requestedSchema\":{\"a\":1,\"a\":2}}");

        assertThat(question.reply().awaitFailure().message()).contains("cannot be read");
    }
}
