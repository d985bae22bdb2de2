package io.mcpbridge.engine.translation;

import static org.assertj.core.api.Assertions.assertThat;

import io.mcpbridge.call.Caller;
import io.mcpbridge.failure.Delivery;
import io.mcpbridge.failure.ErrorCode;
import io.mcpbridge.failure.Failure.ServerError;
import io.mcpbridge.message.Era;
import io.mcpbridge.message.MessageField;
import io.mcpbridge.message.Methods;
import io.mcpbridge.testkit.RecordingReply;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What a server answers and cannot have meant, as far as a client of the modern era would understand it. */
class MisleadingAnswersTest {
    private static final String TASK =
            "{\"resultType\":\"task\",\"taskId\":\"t\",\"status\":\"working\",\"ttlMs\":null}";
    private static final String ADDRESS =
            "{\"elicitations\":[{\"mode\":\"url\",\"elicitationId\":\"e\",\"url\":\"https://a.example\",\"message\":\"Go\"}]}";

    private TranslationBench bench = new TranslationBench(Era.LEGACY);

    private RecordingReply toolCall(Caller caller) {
        return bench.send(bench.toolCall(caller));
    }

    private static void isInvalid(RecordingReply reply, String words) {
        var failure = reply.awaitFailure();
        assertThat(failure.code()).isEqualTo(ErrorCode.UPSTREAM_INVALID);
        assertThat(failure.delivery()).isEqualTo(Delivery.ANSWERED);
        assertThat(failure.server()).isEqualTo("tools");
        assertThat(failure.message()).contains("'tools'", words);
    }

    @Nested
    class ErrorsOfALegacyServer {

        @ParameterizedTest(name = "{0} for {1}")
        @CsvSource({
            "-32020,tools/call",
            "-32021,tools/call",
            "-32022,tools/call",
            "-32042,tools/call",
            "-32020,tools/list",
            "-32021,completion/complete",
            "-32022,resources/read",
            "-32042,completion/complete"
        })
        void legacyErrorWithAModernCodeIsAProtocolError(int code, String method) {
            var reply = bench.send(bench.call(method, "{}", TranslationBench.modern()));

            bench.server.last().refuse(code, "as I please", "{\"my\":1}");

            isInvalid(reply, Integer.toString(code));
            assertThat(reply.awaitFailure().serverError()).contains(new ServerError(code, "as I please", "{\"my\":1}"));
        }

        @Test
        void urlElicitationErrorIsAProtocolErrorForOtherMethods() {
            var reply = bench.send(bench.call(Methods.COMPLETION_COMPLETE, "{}", TranslationBench.modern()));

            bench.server.last().refuse(-32042, "go", ADDRESS);

            isInvalid(reply, "-32042");
        }

        @ParameterizedTest
        @ValueSource(ints = {-32000, -32002, -32019, -32023, -32601, -32602, 7})
        void otherErrorCodesReachTheClientUnchanged(int code) {
            var reply = toolCall(TranslationBench.modern());

            bench.server.last().refuse(code, "no", "{\"my\":1}");

            assertThat(reply.awaitAnswer().raw(MessageField.ERROR_CODE)).contains(Integer.toString(code));
            assertThat(reply.awaitAnswer().raw(MessageField.ERROR_DATA)).contains("{\"my\":1}");
        }

        @ParameterizedTest
        @ValueSource(ints = {-32020, -32021, -32022, -32042})
        void legacyClientGetsModernErrorCodesUnchanged(int code) {
            var reply = toolCall(bench.legacy(Caller.EVERYTHING));

            bench.server.last().refuse(code, "as I please", "{\"my\":1}");

            assertThat(reply.awaitAnswer().raw(MessageField.ERROR_CODE)).contains(Integer.toString(code));
        }
    }

    @Test
    void missingCapabilityErrorOfAModernServerReachesTheClient() {
        bench = new TranslationBench(Era.MODERN);
        var reply = toolCall(TranslationBench.modern());

        bench.server.last().refuse(-32021, "sampling, please", "{\"requiredCapabilities\":{\"sampling\":{}}}");

        assertThat(reply.awaitAnswer().raw(MessageField.ERROR_CODE)).contains("-32021");
    }

    @Nested
    class Tasks {

        @Test
        void unrequestedTaskIsAnErrorOfTheServer() {
            bench = new TranslationBench(Era.MODERN);
            var reply = toolCall(TranslationBench.modern());

            bench.server.last().answer(TASK);

            isInvalid(reply, "did not declare the extension 'io.modelcontextprotocol/tasks'");
        }

        @ParameterizedTest
        @ValueSource(strings = {"{\"extensions\":[]}", "{\"extensions\":{\"x/y\":{}}}", "{\"tasks\":{}}"})
        void otherCapabilitiesDoNotAllowTasks(String declared) {
            bench = new TranslationBench(Era.MODERN);
            var reply = toolCall(TranslationBench.modern("alice", declared));

            bench.server.last().answer(TASK);

            isInvalid(reply, "did not declare");
        }

        @Test
        void taskReachesAClientThatDeclaredTasks() {
            bench = new TranslationBench(Era.MODERN);
            var declared = "{\"extensions\":{\"io.modelcontextprotocol/tasks\":{}}}";
            var reply = toolCall(TranslationBench.modern("alice", declared));

            bench.server.last().answer(TASK);

            assertThat(reply.awaitAnswer().raw(MessageField.RESULT)).contains(TASK);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"\"task\"", "\"input_required\"", "\"mine\"", "7"})
    void resultTypeOfALegacyServerIsAProtocolError(String type) {
        var reply = toolCall(TranslationBench.modern());

        bench.server.last().answer("{\"content\":[],\"resultType\":" + type + "}");

        isInvalid(reply, "resultType " + type);
    }

    @Test
    void completeResultTypeOfALegacyServerIsAccepted() {
        var reply = toolCall(TranslationBench.modern());

        bench.server.last().answer("{\"content\":[],\"resultType\":\"complete\"}");

        assertThat(reply.awaitAnswer().isError()).isFalse();
    }
}
