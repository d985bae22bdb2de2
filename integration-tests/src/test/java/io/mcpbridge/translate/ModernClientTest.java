package io.mcpbridge.translate;

import static org.assertj.core.api.Assertions.assertThat;

import io.mcpbridge.call.Call;
import io.mcpbridge.call.Caller;
import io.mcpbridge.call.CancelReason;
import io.mcpbridge.call.Deadline;
import io.mcpbridge.call.Outcome;
import io.mcpbridge.config.ParkingSettings;
import io.mcpbridge.failure.ErrorCode;
import io.mcpbridge.failure.Failure;
import io.mcpbridge.message.Era;
import io.mcpbridge.message.MessageId;
import io.mcpbridge.message.Methods;
import io.mcpbridge.message.Notification;
import io.mcpbridge.message.Part;
import io.mcpbridge.message.Request;
import io.mcpbridge.message.Response;
import io.mcpbridge.testkit.RecordingReply;
import java.time.Duration;
import java.util.stream.Stream;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A client of the modern era before a server of the legacy one: its call is parked while it looks for answers. */
class ModernClientTest {
    private static final String FORM = "{\"message\":\"Who?\",\"requestedSchema\":{\"type\":\"object\"}}";
    private static final String ACCEPTED = "{\"action\":\"accept\",\"content\":{\"name\":\"Zoë\"}}";

    private TranslationBench bench = new TranslationBench(Era.LEGACY);

    private RecordingReply toolCall() {
        return bench.send(bench.toolCall(TranslationBench.modern()));
    }

    private RecordingReply retry(Response asked, String inputResponses) {
        return bench.send(bench.retry(TranslationBench.modern(), asked, inputResponses));
    }

    /** What the server asks while it works on the latest call. */
    private Asked ask(String method, String params) {
        var id = MessageId.of("q");
        var request = params.isEmpty() ? Request.of(id, method) : Request.of(id, method, params);
        var caller = bench.server.last().call().caller();
        var call = Call.of(request, caller, "c-1", Deadline.after(Duration.ofMinutes(10), bench.time));
        var reply = new RecordingReply();
        caller.client().handle(call, reply);
        return new Asked(call, reply);
    }

    private Asked ask() {
        return ask(Methods.ELICITATION_CREATE, FORM);
    }

    private void gather() {
        bench.time.advance(Gathering.MOMENT.multipliedBy(2));
    }

    /** The call's answer after its server has asked for a form. */
    private Response parked(RecordingReply reply) {
        ask();
        gather();
        return reply.awaitAnswer();
    }

    private record Asked(Call call, RecordingReply reply) {

        String answer() {
            return reply.awaitAnswer().raw(Part.RESULT).orElseThrow();
        }
    }

    private static void isRefused(RecordingReply reply, String words) {
        var failure = reply.awaitFailure();
        assertThat(failure.code()).isEqualTo(ErrorCode.INVALID_PARAMS);
        assertThat(failure.message()).contains(words);
    }

    @Test
    void aQuestionOfTheServerBecomesAResultThatNeedsInput() {
        var reply = toolCall();
        ask(
                Methods.ELICITATION_CREATE,
                "{\"_meta\":{\"progressToken\":1},\"elicitationId\":\"e\"," + FORM.substring(1));
        assertThat(reply.isDone()).isFalse();
        gather();

        var result = reply.awaitAnswer();
        assertThat(result.text(Part.RESULT_TYPE)).contains("input_required");
        assertThat(result.raw(Part.INPUT_REQUESTS))
                .contains("{\"input-1\":{\"method\":\"elicitation/create\",\"params\":" + FORM + "}}");
        assertThat(result.text(Part.RESULT_STATE).orElse("")).startsWith("mcpb1.");
    }

    @Test
    void theAnswersReachTheServerAndItsResultTheClient() {
        var first = toolCall();
        var question = ask();
        gather();
        var second = retry(first.awaitAnswer(), "{\"input-1\":" + ACCEPTED + ",\"other\":{}}");
        assertThat(question.answer()).isEqualTo(ACCEPTED);
        assertThat(second.isDone()).isFalse();
        bench.server.last().answer("{\"content\":[]}");

        assertThat(second.awaitAnswer().raw(Part.RESULT)).contains("{\"content\":[]}");
        assertThat(bench.server.count()).isEqualTo(1);
        assertThat(first.outcomes()).hasSize(1);
        assertThat(question.reply().outcomes()).hasSize(1);
        assertThat(bench.parked.status()).isEqualTo(new ParkedStatus(0, java.util.Optional.empty(), 0));
        assertThat(bench.time.pendingAlarms()).isZero();
    }

    @Test
    void questionsThatComeTogetherAreAskedTogether() {
        var reply = toolCall();
        var one = ask();
        var other = ask(Methods.SAMPLING_CREATE_MESSAGE, "{\"messages\":[],\"maxTokens\":1}");
        var roots = ask(Methods.ROOTS_LIST, "");
        gather();
        var answers = "{\"input-1\":%s,\"input-2\":{\"role\":\"assistant\",\"content\":{}},\"input-3\":{\"roots\":[]}}";
        retry(reply.awaitAnswer(), answers.formatted(ACCEPTED));

        assertThat(one.answer()).isEqualTo(ACCEPTED);
        assertThat(other.answer()).isEqualTo("{\"role\":\"assistant\",\"content\":{}}");
        assertThat(roots.answer()).isEqualTo("{\"roots\":[]}");
    }

    @Test
    void questionsThatKeepComingAreNotWaitedForForEver() {
        var reply = toolCall();
        ask();
        for (int more = 0; more < 5; more++) {
            assertThat(reply.isDone()).isFalse();
            ask();
            bench.time.advance(Gathering.MOMENT);
        }

        assertThat(reply.awaitAnswer().raw(Part.INPUT_REQUESTS).orElse("")).contains("input-6");
    }

    @Test
    void aServerMayAskAgain() {
        var first = parked(toolCall());
        var second = retry(first, "{\"input-1\":" + ACCEPTED + "}");
        var question = ask();
        gather();
        var third = retry(second.awaitAnswer(), "{\"input-2\":{\"action\":\"decline\"}}");
        bench.server.last().answer("{\"content\":[]}");

        assertThat(question.answer()).isEqualTo("{\"action\":\"decline\"}");
        assertThat(third.awaitAnswer().has(Part.CONTENT)).isTrue();
    }

    @Test
    void aQuestionThatComesWhileTheCallIsParkedIsAskedNext() {
        var first = parked(toolCall());
        ask();
        var second = retry(first, "{\"input-1\":" + ACCEPTED + "}");
        gather();

        assertThat(second.awaitAnswer().raw(Part.INPUT_REQUESTS).orElse("")).contains("input-2");
    }

    @Test
    void theServerMayNameTheKey() {
        var reply = toolCall();
        ask(Methods.ELICITATION_CREATE, "{\"_meta\":{\"io.mcpbridge/inputKey\":\"who\"}," + FORM.substring(1));
        ask(Methods.ELICITATION_CREATE, "{\"_meta\":{\"io.mcpbridge/inputKey\":\"who\"}," + FORM.substring(1));
        ask(Methods.ELICITATION_CREATE, "{\"_meta\":{\"io.mcpbridge/inputKey\":\"w h o\"}," + FORM.substring(1));
        gather();

        assertThat(reply.awaitAnswer().raw(Part.INPUT_REQUESTS).orElse(""))
                .contains("\"who\":", "\"input-1\":", "\"input-2\":")
                .doesNotContain("inputKey");
    }

    @Test
    void whatIsAnsweredBeforeItIsAskedIsNotAsked() {
        var early = "{\"name\":\"book\",\"inputResponses\":{\"who\":" + ACCEPTED + ",\"input-1\":7}}";
        var reply = bench.send(bench.call(Methods.TOOLS_CALL, early, TranslationBench.modern()));
        var who =
                ask(Methods.ELICITATION_CREATE, "{\"_meta\":{\"io.mcpbridge/inputKey\":\"who\"}," + FORM.substring(1));
        ask();
        gather();

        assertThat(who.answer()).isEqualTo(ACCEPTED);
        assertThat(reply.awaitAnswer().raw(Part.INPUT_REQUESTS).orElse(""))
                .contains("input-1")
                .doesNotContain("who\"");
    }

    @Test
    void aLegacyServerNeverSeesWhatBelongsToRounds() {
        bench.send(
                bench.call(Methods.TOOLS_CALL, "{\"name\":\"book\",\"inputResponses\":{}}", TranslationBench.modern()));
        bench.send(bench.call(
                Methods.COMPLETION_COMPLETE, "{\"requestState\":\"x\",\"ref\":{}}", TranslationBench.modern()));

        assertThat(bench.server.number(0).params()).isEqualTo("{\"name\":\"book\"}");
        assertThat(bench.server.number(1).params()).isEqualTo("{\"ref\":{}}");
    }

    @Test
    void theServerMayAskWhateverThisClientDeclared() {
        var caller = TranslationBench.modern("alice", "{}");
        bench.send(bench.toolCall(caller));

        assertThat(bench.server.last().call().caller().promised()).isEqualTo(Caller.EVERYTHING);
        assertThat(bench.server.last().call().caller().declared()).isEqualTo("{}");
    }

    @Test
    void methodsThatTakeOneRoundCannotAsk() {
        bench.send(bench.call(Methods.COMPLETION_COMPLETE, "{}", TranslationBench.modern()));
        var question = ask();

        assertThat(question.reply().awaitFailure().code()).isEqualTo(ErrorCode.METHOD_NOT_FOUND);
    }

    @Test
    void progressReachesWhoeverWaits() {
        var progress = Notification.of(Methods.PROGRESS, "{\"progressToken\":1,\"progress\":1}");
        var first = toolCall();
        bench.server.last().reply().event(progress);
        var asked = parked(first);
        bench.server.last().reply().event(progress);
        var second = retry(asked, "{\"input-1\":" + ACCEPTED + "}");
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
    void answersThatAreMissingOrInvalidAreAskedForAgain(String answers) {
        var first = toolCall();
        var question = ask();
        gather();
        var asked = first.awaitAnswer();
        var again = retry(asked, answers).awaitAnswer();
        assertThat(again.raw(Part.RESULT)).isEqualTo(asked.raw(Part.RESULT));
        assertThat(question.reply().isDone()).isFalse();

        retry(again, "{\"input-1\":" + ACCEPTED + "}");
        assertThat(question.answer()).isEqualTo(ACCEPTED);
    }

    @Test
    void answersThatAreNoObjectAreRefused() {
        isRefused(retry(parked(toolCall()), "[]"), "'inputResponses' must be an object");
    }

    /** What is sealed opens for the same user, the same call and once. */
    @Nested
    class TheState {

        private static final String ANSWERS = "{\"input-1\":" + ACCEPTED + "}";

        @Test
        void isOfNoUseToAnotherUser() {
            var asked = parked(toolCall());

            isRefused(
                    bench.send(bench.retry(TranslationBench.modern("mallory", Caller.EVERYTHING), asked, ANSWERS)),
                    "'requestState'");
            assertThat(bench.parked.status().parked()).isEqualTo(1);
        }

        @Test
        void isOfNoUseToSomebodyWithTheSameNameAndAnotherProof() {
            var asked = parked(toolCall());
            var other = Caller.builder()
                    .principal(new io.mcpbridge.call.Principal("alice", "peer-credentials"))
                    .version(TranslationBench.modern().version())
                    .build();

            isRefused(bench.send(bench.retry(other, asked, ANSWERS)), "'requestState'");
        }

        @Test
        void isOfNoUseForAnotherToolOrOtherArguments() {
            var asked = parked(toolCall());
            var caller = TranslationBench.modern();

            isRefused(
                    bench.send(bench.retry(caller, asked, ANSWERS, "{\"name\":\"other\",\"arguments\":{\"seats\":2}}")),
                    "'requestState'");
            isRefused(
                    bench.send(bench.retry(caller, asked, ANSWERS, "{\"name\":\"book\",\"arguments\":{\"seats\":3}}")),
                    "'requestState'");
        }

        @Test
        void isOfNoUseAtAnotherServer() {
            var asked = parked(toolCall());
            var reply = new RecordingReply();
            bench.translation("other").handle(bench.retry(TranslationBench.modern(), asked, ANSWERS), reply);

            isRefused(reply, "'requestState'");
        }

        @Test
        void isTheSameForTheSameParamsInAnotherOrder() {
            var asked = parked(toolCall());
            var params = "{\"arguments\":{\"seats\":2.0},\"_meta\":{\"traceparent\":\"x\"},\"name\":\"b\\u006fok\"}";
            var second = bench.send(bench.retry(TranslationBench.modern(), asked, ANSWERS, params));
            bench.server.last().answer("{}");

            assertThat(second.awaitAnswer().isError()).isFalse();
        }

        @Test
        void mustNotBeChanged() {
            var asked = parked(toolCall());
            var state = asked.text(Part.RESULT_STATE).orElseThrow();
            for (var changed : new String[] {state + "A", state.substring(1), "mcpb1.x.y", "", "guess"}) {
                var params = "{\"name\":\"book\",\"arguments\":{\"seats\":2},\"requestState\":\"" + changed + "\"}";
                isRefused(
                        bench.send(bench.call(Methods.TOOLS_CALL, params, TranslationBench.modern())),
                        "'requestState'");
            }
            assertThat(bench.server.count()).isEqualTo(1);
        }

        @Test
        void continuesItsCallOnce() {
            var asked = parked(toolCall());
            var second = retry(asked, ANSWERS);
            isRefused(retry(asked, ANSWERS), "used already");
            var again = parked(second);
            isRefused(retry(asked, ANSWERS), "used already");
            var third = retry(again, "{\"input-2\":" + ACCEPTED + "}");
            bench.server.last().answer("{}");

            assertThat(third.awaitAnswer().isError()).isFalse();
            isRefused(retry(again, ANSWERS), "lapsed");
        }

        @Test
        void lapsesWithItsCall() {
            var asked = parked(toolCall());
            assertThat(bench.parked.status().oldest()).contains(bench.time.now().minus(Gathering.MOMENT));
            bench.time.advance(ParkingSettings.DEFAULTS.expiry());

            assertThat(bench.server.last().isWithdrawn()).isTrue();
            assertThat(bench.parked.status()).isEqualTo(new ParkedStatus(0, java.util.Optional.empty(), 1));
            isRefused(retry(asked, ANSWERS), "lapsed: it is kept for 600 s");
            assertThat(bench.time.pendingAlarms()).isZero();
        }

        @Test
        void ofAModernServerIsPassedOn() {
            bench.unconnected().speaks(Era.MODERN);
            var params = "{\"name\":\"book\",\"requestState\":\"theirs\",\"inputResponses\":{}}";
            var call = bench.call(Methods.TOOLS_CALL, params, TranslationBench.modern());
            bench.send(call);

            assertThat(bench.server.last().call()).isSameAs(call);
        }

        @Test
        void waitsUntilItIsKnownWhoSpeaksThere() {
            bench.unconnected();
            var params = "{\"name\":\"book\",\"requestState\":\"theirs\"}";

            isRefused(bench.send(bench.call(Methods.TOOLS_CALL, params, TranslationBench.modern())), "'requestState'");
        }
    }

    /** What the client did not declare it is not asked. */
    @Nested
    class WhenTheClientCannotBeAsked {

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
        void theCallEndsWithTheCapabilityThatIsMissing(String declared, String method, String params, String required) {
            var reply = bench.send(bench.toolCall(TranslationBench.modern("alice", declared)));
            var question = ask(method, params);
            gather();
            assertThat(question.reply().awaitFailure().message()).contains("'" + method + "'", "did not declare");
            assertThat(reply.outcomes()).isEmpty();
            bench.server.last().answer("{\"content\":[],\"isError\":true}");

            var error = reply.awaitAnswer();
            assertThat(error.raw(Part.ERROR_CODE)).contains("-32021");
            assertThat(error.raw(Part.ERROR_DATA)).contains("{\"requiredCapabilities\":" + required + "}");
            assertThat(reply.outcomes()).hasSize(1);
            assertThat(bench.time.pendingAlarms()).isZero();
        }

        @Test
        void aServerThatFindsAnotherWayGoesOn() {
            var reply = bench.send(bench.toolCall(TranslationBench.modern("alice", "{\"sampling\":{}}")));
            ask(Methods.ROOTS_LIST, "{}");
            gather();
            bench.server.last().answer("{\"content\":[]}");

            assertThat(reply.awaitAnswer().isError()).isFalse();
        }

        @Test
        void whatTheClientDeclaredIsAskedAllTheSame() {
            var reply = bench.send(bench.toolCall(TranslationBench.modern("alice", "{\"sampling\":{}}")));
            ask(Methods.ROOTS_LIST, "{}");
            ask(Methods.SAMPLING_CREATE_MESSAGE, "{}");
            gather();

            var asked = reply.awaitAnswer().raw(Part.INPUT_REQUESTS).orElseThrow();
            assertThat(asked).contains(Methods.SAMPLING_CREATE_MESSAGE).doesNotContain(Methods.ROOTS_LIST);
        }

        @Test
        void thereIsNoRoomForMoreOfOneUser() {
            bench = new TranslationBench(Era.LEGACY, new ParkingSettings(10, 1, Duration.ofMinutes(1)));
            parked(toolCall());
            var reply = toolCall();
            ask();
            gather();

            var failure = reply.awaitFailure();
            assertThat(failure.code()).isEqualTo(ErrorCode.OVERLOADED);
            assertThat(failure.message()).contains("1 calls", "'parking.max-calls-per-principal'");
            assertThat(bench.server.last().isWithdrawn()).isTrue();
            assertThat(bench.server.number(0).isWithdrawn()).isFalse();
        }

        @Test
        void thereIsNoRoomForMoreInAll() {
            bench = new TranslationBench(Era.LEGACY, new ParkingSettings(1, 1, Duration.ofMinutes(1)));
            parked(toolCall());
            var reply = bench.send(bench.toolCall(TranslationBench.modern("bob", Caller.EVERYTHING)));
            ask();
            gather();

            assertThat(reply.awaitFailure().message()).contains("'parking.max-calls'");
            bench.time.advance(Duration.ofMinutes(1));
            var later = bench.send(bench.toolCall(TranslationBench.modern("bob", Caller.EVERYTHING)));
            assertThat(parked(later).has(Part.RESULT_STATE)).isTrue();
        }

        @Test
        void aQuestionThatNobodyKnowsIsRefused() {
            toolCall();

            assertThat(ask("tools/list", "{}").reply().awaitFailure().code()).isEqualTo(ErrorCode.METHOD_NOT_FOUND);
        }

        @Test
        void aQuestionThatCannotBeReadIsRefused() {
            toolCall();
            var question = ask(Methods.ELICITATION_CREATE, "{\"requestedSchema\":{\"a\":1,\"a\":2}}");

            assertThat(question.reply().awaitFailure().message()).contains("cannot be read");
        }
    }

    /** A client that goes away while it waits takes its call along; one that was asked may come back. */
    @Nested
    class WhenTheClientLeaves {

        @Test
        void theCallIsWithdrawnWhileItWaits() {
            var call = bench.toolCall(TranslationBench.modern());
            var reply = bench.send(call);
            call.cancellation().cancel(CancelReason.CLIENT_GONE);

            assertThat(bench.server.last().isWithdrawn()).isTrue();
            assertThat(reply.awaitFailure().code()).isEqualTo(ErrorCode.CANCELLED);
        }

        @Test
        void nothingHappensWhileTheCallIsParked() {
            var call = bench.toolCall(TranslationBench.modern());
            var asked = parked(bench.send(call));
            call.cancellation().cancel(CancelReason.CLIENT_GONE);
            assertThat(bench.server.last().isWithdrawn()).isFalse();

            var second = bench.retry(TranslationBench.modern(), asked, "{\"input-1\":" + ACCEPTED + "}");
            bench.send(second);
            second.cancellation().cancel(CancelReason.CLIENT_CANCELLED);
            assertThat(bench.server.last().isWithdrawn()).isTrue();
        }

        @Test
        void parkedTimeDoesNotCount() {
            var call = bench.toolCall(TranslationBench.modern());
            bench.time.advance(Duration.ofSeconds(49));
            var asked = parked(bench.send(call));
            bench.time.advance(Duration.ofMinutes(9));
            var second = retry(asked, "{\"input-1\":" + ACCEPTED + "}");
            bench.time.advance(Duration.ofSeconds(10));
            assertThat(bench.server.last().isWithdrawn()).isFalse();
            bench.time.advance(Duration.ofSeconds(1));

            assertThat(bench.server.last().isWithdrawn()).isTrue();
            assertThat(second.awaitFailure().message()).contains("timed out");
        }
    }

    /** The server need not wait for the client. */
    @Nested
    class WhenTheServerEndsTheCall {

        @Test
        void itsResultWaitsForTheClient() {
            var asked = parked(toolCall());
            bench.server.last().answer("{\"content\":[]}");
            var second = retry(asked, "{}");

            assertThat(second.awaitAnswer().raw(Part.RESULT)).contains("{\"content\":[]}");
            isRefused(retry(asked, "{}"), "lapsed");
            assertThat(bench.time.pendingAlarms()).isZero();
        }

        @Test
        void soDoesItsFailure() {
            var asked = parked(toolCall());
            bench.server.last().reply().done(Outcome.failed(Failure.of(ErrorCode.PROVIDER_CRASHED, "it is dead")));

            assertThat(retry(asked, "{}").awaitFailure().message()).isEqualTo("it is dead");
        }

        @Test
        void aQuestionThatItWithdrawsIsAskedNoMore() {
            var first = toolCall();
            var question = ask();
            gather();
            question.call().cancellation().cancel(CancelReason.CLIENT_CANCELLED);
            var second = retry(first.awaitAnswer(), "{}");
            assertThat(second.isDone()).isFalse();
            bench.server.last().answer("{}");

            assertThat(second.awaitAnswer().isError()).isFalse();
            assertThat(question.reply().outcomes()).hasSize(1);
        }

        @Test
        void beforeItsQuestionIsGatheredNothingIsParked() {
            var reply = toolCall();
            var question = ask();
            bench.server.last().answer("{\"content\":[]}");
            gather();

            assertThat(reply.awaitAnswer().has(Part.CONTENT)).isTrue();
            assertThat(question.reply().awaitFailure().code()).isEqualTo(ErrorCode.CANCELLED);
            assertThat(bench.parked.status().parked()).isZero();
        }
    }

    /** The error by which a server sends its user somewhere first. */
    @Nested
    class WhenTheUserIsSentToAnAddress {
        private static final String ELICITATIONS =
                "{\"elicitations\":[{\"mode\":\"url\",\"elicitationId\":\"e\",\"url\":\"https://a.example\",\"message\":\"Go\"}]}";

        private Response sent() {
            var reply = toolCall();
            bench.server.last().refuse(-32042, "go there first", ELICITATIONS);
            return reply.awaitAnswer();
        }

        @Test
        void theClientIsAskedForIt() {
            assertThat(sent().raw(Part.INPUT_REQUESTS))
                    .contains("{\"url-1\":{\"method\":\"elicitation/create\",\"params\":"
                            + "{\"mode\":\"url\",\"url\":\"https://a.example\",\"message\":\"Go\"}}}");
            assertThat(bench.parked.status().parked()).isZero();
        }

        @Test
        void theCallIsMadeAgainAfterwards() {
            var reply = retry(sent(), "{\"url-1\":{\"action\":\"accept\"}}");
            assertThat(bench.server.count()).isEqualTo(2);
            assertThat(bench.server.last().params()).isEqualTo("{\"name\":\"book\",\"arguments\":{\"seats\":2}}");
            bench.server.last().answer("{\"content\":[]}");

            assertThat(reply.awaitAnswer().has(Part.CONTENT)).isTrue();
        }

        @Test
        void aMissingAnswerIsAskedForAgain() {
            var asked = sent();
            var again = retry(asked, "{}").awaitAnswer();

            assertThat(again.raw(Part.RESULT)).isEqualTo(asked.raw(Part.RESULT));
            assertThat(bench.server.count()).isEqualTo(1);
        }

        @Test
        void aUserWhoDeclinesEndsTheCall() {
            var reply = retry(sent(), "{\"url-1\":{\"action\":\"decline\"}}").awaitAnswer();

            assertThat(reply.raw(Part.IS_ERROR)).contains("true");
            assertThat(bench.server.count()).isEqualTo(1);
        }

        @Test
        void itLapses() {
            var asked = sent();
            bench.time.advance(ParkingSettings.DEFAULTS.expiry().plusMillis(1));

            isRefused(retry(asked, "{\"url-1\":{\"action\":\"accept\"}}"), "lapsed");
        }

        @ParameterizedTest(name = "L3: the wall clock jumps by {0} days")
        @ValueSource(ints = {3_650, -1})
        void itLapsesByTheTimeThatHasPassedWhateverTheWallClockSays(int days) {
            var asked = sent();
            bench.time.advance(ParkingSettings.DEFAULTS.expiry().minusSeconds(1));

            bench.time.shiftWallClock(Duration.ofDays(days));
            var inTime = retry(asked, "{\"url-1\":{\"action\":\"accept\"}}");
            bench.time.advance(Duration.ofSeconds(2));
            var late = retry(asked, "{\"url-1\":{\"action\":\"accept\"}}");

            assertThat(bench.server.count()).isEqualTo(2);
            isRefused(late, "lapsed");
            bench.server.last().answer("{\"content\":[]}");
            assertThat(inTime.awaitAnswer().has(Part.CONTENT)).isTrue();
        }

        @Test
        void aClientThatCannotGoIsToldWhatIsMissing() {
            var reply = bench.send(bench.toolCall(TranslationBench.modern("alice", "{\"elicitation\":{}}")));
            bench.server.last().refuse(-32042, "go there first", ELICITATIONS);

            assertThat(reply.awaitAnswer().raw(Part.ERROR_DATA))
                    .contains("{\"requiredCapabilities\":{\"elicitation\":{\"url\":{}}}}");
        }
    }
}
