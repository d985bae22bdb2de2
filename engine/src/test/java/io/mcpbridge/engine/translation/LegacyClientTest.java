package io.mcpbridge.engine.translation;

import static org.assertj.core.api.Assertions.assertThat;

import io.mcpbridge.call.Caller;
import io.mcpbridge.call.CancelReason;
import io.mcpbridge.call.Outcome;
import io.mcpbridge.failure.ErrorCode;
import io.mcpbridge.failure.Failure;
import io.mcpbridge.message.Era;
import io.mcpbridge.message.MessageField;
import io.mcpbridge.message.Methods;
import io.mcpbridge.message.Response;
import io.mcpbridge.testkit.RecordingReply;
import java.time.Duration;
import java.util.stream.Stream;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** A legacy client with a modern server: the client is asked for the input that the server requires. */
class LegacyClientTest {
    private static final String CAN_ALL = Caller.EVERYTHING;
    private static final String FORM =
            "{\"method\":\"elicitation/create\",\"params\":{\"message\":\"Who?\",\"requestedSchema\":{\"type\":\"object\"}}}";
    private static final String SAMPLE =
            "{\"method\":\"sampling/createMessage\",\"params\":{\"messages\":[],\"maxTokens\":5}}";
    private static final String STATE = "\"ey\\u004aabc/==\"";

    private final TranslationBench bench = new TranslationBench(Era.MODERN);

    private static String needs(String requests) {
        return "{\"resultType\":\"input_required\",\"inputRequests\":" + requests + ",\"requestState\":" + STATE + "}";
    }

    private RecordingReply toolCall(String capabilities) {
        return bench.send(bench.toolCall(bench.legacy(capabilities)));
    }

    @Test
    void inputIsRequestedAndTheCallResentWithAnswersAndState() {
        var reply = toolCall(CAN_ALL);
        bench.server.last().answer(needs("{\"who\":" + FORM + "}"));
        bench.client.last().answer("{\"action\":\"accept\",\"content\":{\"name\":\"Zoë\"}}");

        assertThat(bench.server.last().params())
                .isEqualTo("{\"name\":\"book\",\"arguments\":{\"seats\":2},"
                        + "\"inputResponses\":{\"who\":{\"action\":\"accept\",\"content\":{\"name\":\"Zoë\"}}},"
                        + "\"requestState\":" + STATE + "}");
        bench.server.last().answer("{\"resultType\":\"complete\",\"content\":[]}");
        assertThat(reply.awaitAnswer().raw(MessageField.CONTENT)).contains("[]");
        assertThat(reply.outcomes()).hasSize(1);
    }

    @ParameterizedTest(name = "{0} before the call, {1} at its answer")
    @CsvSource({"LEGACY, LEGACY", "LEGACY, MODERN", "MODERN, LEGACY"})
    void inputIsRequestedByTheEraOfTheAnsweringConnection(Era before, Era after) {
        bench.setEra(before);
        bench.answersIn(Era.MODERN);
        var reply = toolCall(CAN_ALL);
        bench.setEra(after);

        bench.server.last().answer(needs("{\"who\":" + FORM + "}"));
        bench.client.last().answer("{\"action\":\"accept\"}");

        assertThat(reply.isDone()).isFalse();
        assertThat(bench.server.last().params()).contains("\"inputResponses\":{\"who\":{\"action\":\"accept\"}}");
    }

    @Test
    void resultOverALegacyConnectionIsUnchanged() {
        bench.answersIn(Era.LEGACY);
        var reply = toolCall(CAN_ALL);

        bench.server.last().answer("{\"content\":[],\"resultType\":\"mine\"}");

        assertThat(reply.awaitAnswer().raw(MessageField.RESULT)).contains("{\"content\":[],\"resultType\":\"mine\"}");
        assertThat(bench.client.count()).isZero();
    }

    @Test
    void inputRequestsOfOneRoundAreSentTogether() {
        toolCall(CAN_ALL);
        bench.server
                .last()
                .answer(needs("{\"b\":" + SAMPLE + ",\"a\":" + FORM + ",\"c\":{\"method\":\"roots/list\"}}"));

        assertThat(bench.client.count()).isEqualTo(3);
        bench.client.number(2).answer("{\"roots\":[]}");
        bench.client.number(1).answer("{\"action\":\"decline\"}");
        assertThat(bench.server.count()).isEqualTo(1);
        bench.client.number(0).answer("{\"role\":\"assistant\",\"content\":{}}");
        assertThat(bench.server.last().params())
                .contains(
                        "\"inputResponses\":{\"b\":{\"role\":\"assistant\",\"content\":{}},\"a\":{\"action\":\"decline\"},"
                                + "\"c\":{\"roots\":[]}}");
    }

    @Test
    void answersOfARoundReplaceEarlierOnes() {
        toolCall(CAN_ALL);
        bench.server.last().answer(needs("{\"one\":" + FORM + "}"));
        bench.client.last().answer("{\"action\":\"accept\"}");
        bench.server.last().answer("{\"resultType\":\"input_required\",\"inputRequests\":{\"two\":" + FORM + "}}");
        bench.client.last().answer("{\"action\":\"cancel\"}");

        assertThat(bench.server.last().params())
                .contains("{\"two\":{\"action\":\"cancel\"}}")
                .doesNotContain("one", "requestState");
    }

    @Test
    void urlElicitationGetsAGeneratedId() {
        toolCall(CAN_ALL);
        bench.server
                .last()
                .answer(needs(
                        "{\"pay\":{\"method\":\"elicitation/create\",\"params\":{\"mode\":\"url\",\"message\":\"Pay\","
                                + "\"url\":\"https://pay.example\"}}}"));

        assertThat(bench.client.last().params()).containsPattern("\"elicitationId\":\"[0-9a-f-]{36}\"");
    }

    @Test
    void stateWithoutInputRequestsIsResentAfterADelay() {
        toolCall("{}");
        bench.server.last().answer("{\"resultType\":\"input_required\",\"requestState\":" + STATE + "}");
        bench.time.advance(InputRequiredLoop.POLL_INTERVAL.minusMillis(1));
        assertThat(bench.server.count()).isEqualTo(1);
        bench.time.advance(Duration.ofMillis(1));

        assertThat(bench.server.last().params())
                .contains("\"requestState\":" + STATE)
                .doesNotContain("inputResponses");
    }

    @Test
    void deadlineIsPausedWhileTheClientIsAsked() {
        var call = bench.toolCall(bench.legacy(CAN_ALL));
        bench.send(call);
        bench.server.last().answer(needs("{\"who\":" + FORM + "}"));
        bench.time.advance(Duration.ofMinutes(9));
        bench.client.last().answer("{\"action\":\"accept\"}");

        assertThat(call.deadline().remaining()).isEqualTo(TranslationBench.CALL_TIMEOUT);
        bench.time.advance(Duration.ofSeconds(1));
        assertThat(call.deadline().remaining()).isEqualTo(TranslationBench.CALL_TIMEOUT.minusSeconds(1));
    }

    @Test
    void completeResultsAreForwardedUnchanged() {
        var reply = toolCall("{}");
        bench.server.last().answer("{\"content\":[],\"extra\":1.0}");

        assertThat(reply.awaitAnswer().raw(MessageField.RESULT)).contains("{\"content\":[],\"extra\":1.0}");
    }

    @Test
    void roundMembersOfALegacyClientAreRemoved() {
        var params = "{\"name\":\"book\",\"requestState\":\"mine\",\"inputResponses\":{}}";
        bench.send(bench.call(Methods.TOOLS_CALL, params, bench.legacy("{}")));

        assertThat(bench.server.last().params()).isEqualTo("{\"name\":\"book\"}");
    }

    /** What cannot be had is said in words that a model can read, or as an error. */
    @Nested
    class WhenInputCannotBeHad {

        private static String text(Response result) {
            assertThat(result.raw(MessageField.IS_ERROR)).contains("true");
            return result.raw(MessageField.CONTENT).orElseThrow();
        }

        static Stream<Arguments> undeclared() {
            return Stream.of(
                    Arguments.argumentSet("nothing declared", "{}", FORM, "elicitation.form"),
                    Arguments.argumentSet("no forms", "{\"elicitation\":{\"url\":{}}}", FORM, "elicitation.form"),
                    Arguments.argumentSet(
                            "no addresses",
                            "{\"elicitation\":{}}",
                            FORM.replace("\"message\"", "\"mode\":\"url\",\"message\""),
                            "elicitation.url"),
                    Arguments.argumentSet(
                            "no tools for sampling",
                            "{\"sampling\":{}}",
                            SAMPLE.replace("\"messages\"", "\"tools\":[],\"messages\""),
                            "sampling.tools"),
                    Arguments.argumentSet("no roots", "{\"sampling\":{}}", "{\"method\":\"roots/list\"}", "roots"));
        }

        @ParameterizedTest
        @MethodSource("undeclared")
        void missingCapabilityIsNamed(String declared, String request, String missing) {
            var reply = toolCall(declared);
            bench.server.last().answer(needs("{\"q\":" + request + "}"));

            assertThat(text(reply.awaitAnswer())).contains("'" + missing + "'", "server 'tools'");
            assertThat(bench.client.count()).isZero();
            assertThat(bench.server.count()).isEqualTo(1);
        }

        @Test
        void promptWithoutTheCapabilityFails() {
            var reply = bench.send(bench.call(Methods.PROMPTS_GET, "{\"name\":\"p\"}", bench.legacy("{}")));
            bench.server.last().answer(needs("{\"q\":" + FORM + "}"));

            var failure = reply.awaitFailure();
            assertThat(failure.code()).isEqualTo(ErrorCode.INVALID_REQUEST);
            assertThat(failure.message()).contains("'elicitation/create'", "'elicitation.form'");
        }

        @Test
        void clientErrorCancelsTheOtherInputRequests() {
            var reply = toolCall(CAN_ALL);
            bench.server.last().answer(needs("{\"a\":" + FORM + ",\"b\":" + SAMPLE + "}"));
            bench.client.number(1).refuse(-1, "User rejected sampling request", "{}");

            assertThat(text(reply.awaitAnswer())).contains("User rejected sampling request", "sampling/createMessage");
            assertThat(bench.client.number(0).isCancelled()).isTrue();
            assertThat(bench.server.count()).isEqualTo(1);
        }

        @Test
        void clientThatNeverAnswersTimesOut() {
            var reply = toolCall(CAN_ALL);
            bench.server.last().answer(needs("{\"a\":" + FORM + "}"));
            bench.time.advance(InputRequiredLoop.ANSWER_TIMEOUT);

            assertThat(text(reply.awaitAnswer())).contains("600 s");
            assertThat(bench.client.last().isCancelled()).isTrue();
            assertThat(bench.time.pendingAlarms()).isZero();
        }

        @Test
        void clientThatRejectsTheRequestEndsTheCall() {
            var reply = toolCall(CAN_ALL);
            bench.server.last().answer(needs("{\"a\":" + FORM + "}"));
            bench.client
                    .last()
                    .reply()
                    .complete(Outcome.failed(Failure.of(ErrorCode.METHOD_NOT_FOUND, "The client does not read.")));

            assertThat(text(reply.awaitAnswer())).contains("The client does not read.");
        }

        @Test
        void roundsAreLimited() {
            var reply = toolCall(CAN_ALL);
            for (int round = 0; round <= InputRequiredLoop.MAX_ROUNDS; round++) {
                bench.server.last().answer(needs("{\"again\":" + FORM + "}"));
                bench.client.last().answer("{\"action\":\"accept\"}");
            }

            assertThat(text(reply.awaitAnswer())).contains("after 8 rounds");
            assertThat(bench.server.count()).isEqualTo(9);
            assertThat(bench.client.count()).isEqualTo(8);
        }

        @Test
        void serverThatRequiresACapabilityIsExplained() {
            var reply = bench.send(bench.call(Methods.PROMPTS_GET, "{\"name\":\"p\"}", bench.legacy("{}")));
            bench.server.last().refuse(-32021, "no", "{\"requiredCapabilities\":{\"sampling\":{}}}");

            assertThat(reply.awaitFailure().message())
                    .contains("'initialize'", "{\"requiredCapabilities\":{\"sampling\":{}}}");
        }
    }

    /** A cancellation reaches the holder of the call. */
    @Nested
    class WhenTheCallIsWithdrawn {

        @Test
        void inputRequestsAreCancelledWithTheCall() {
            var call = bench.toolCall(bench.legacy(CAN_ALL));
            var reply = bench.send(call);
            bench.server.last().answer(needs("{\"a\":" + FORM + "}"));
            call.cancellation().cancel(CancelReason.CLIENT_CANCELLED);

            assertThat(bench.client.last().isCancelled()).isTrue();
            assertThat(reply.awaitFailure().code()).isEqualTo(ErrorCode.CANCELLED);
            assertThat(bench.time.pendingAlarms()).isZero();
        }

        @Test
        void delayEndsWithTheCall() {
            var call = bench.toolCall(bench.legacy(CAN_ALL));
            var reply = bench.send(call);
            bench.server.last().answer("{\"resultType\":\"input_required\",\"requestState\":\"s\"}");
            call.cancellation().cancel(CancelReason.CLIENT_GONE);

            assertThat(reply.awaitFailure().code()).isEqualTo(ErrorCode.CANCELLED);
            assertThat(bench.time.pendingAlarms()).isZero();
        }
    }

    static Stream<Arguments> broken() {
        return Stream.of(
                Arguments.argumentSet("neither", "{\"resultType\":\"input_required\"}", "neither an input request"),
                Arguments.argumentSet("a state that is no text", needs("{}").replace(STATE, "7"), "'requestState'"),
                Arguments.argumentSet("no object", needs("[]"), "'inputRequests' must be an object"),
                Arguments.argumentSet("an unknown question", needs("{\"x\":{\"method\":\"ping\"}}"), "asks 'ping'"),
                Arguments.argumentSet(
                        "no params", needs("{\"x\":{\"method\":\"elicitation/create\"}}"), "without params"),
                Arguments.argumentSet("a task", "{\"resultType\":\"task\",\"taskId\":\"t\"}", "answered with a task"),
                Arguments.argumentSet("unheard of", "{\"resultType\":\"later\"}", "unknown resultType \"later\""),
                Arguments.argumentSet("no text", "{\"resultType\":5}", "unknown resultType 5"));
    }

    @ParameterizedTest
    @MethodSource("broken")
    void malformedInputRequiredResultIsAProtocolError(String result, String words) {
        var reply = toolCall(CAN_ALL);
        bench.server.last().answer(result);

        var failure = reply.awaitFailure();
        assertThat(failure.code()).isEqualTo(ErrorCode.UPSTREAM_INVALID);
        assertThat(failure.message()).contains("server 'tools'", words);
    }

    @Test
    void inputRequiredForAListIsAProtocolError() {
        var reply = bench.send(bench.call(Methods.TOOLS_LIST, "{}", bench.legacy(CAN_ALL)));
        bench.server.last().answer(needs("{\"x\":" + FORM + "}"));

        assertThat(reply.awaitFailure().code()).isEqualTo(ErrorCode.UPSTREAM_INVALID);
    }

    @Test
    void taskRequestIsRejected() {
        var params = "{\"name\":\"book\",\"task\":{\"ttl\":1}}";
        var reply = bench.send(bench.call(Methods.TOOLS_CALL, params, bench.legacy("{}")));

        assertThat(reply.awaitFailure().message()).contains("cannot become a task", "'tools'");
        assertThat(bench.server.count()).isZero();
    }

    @Test
    void serverOfTheSameEraIsNotTranslated() {
        bench.setEra(Era.LEGACY);
        var call = bench.toolCall(bench.legacy(CAN_ALL));
        var reply = bench.send(call);
        bench.server.last().answer(needs("{\"x\":" + FORM + "}"));

        assertThat(bench.server.last().call().request()).isSameAs(call.request());
        assertThat(reply.awaitAnswer().raw(MessageField.RESULT)).contains(needs("{\"x\":" + FORM + "}"));
    }
}
