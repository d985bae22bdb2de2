package io.mcpbridge.catalog.check;

import static org.assertj.core.api.Assertions.assertThat;

import io.mcpbridge.call.Call;
import io.mcpbridge.call.Caller;
import io.mcpbridge.call.CancelReason;
import io.mcpbridge.call.Deadline;
import io.mcpbridge.call.Outcome;
import io.mcpbridge.call.Reply;
import io.mcpbridge.catalog.schema.JsonSchemaCheckProvider;
import io.mcpbridge.failure.Delivery;
import io.mcpbridge.failure.ErrorCode;
import io.mcpbridge.failure.Failure;
import io.mcpbridge.message.MessageId;
import io.mcpbridge.message.Methods;
import io.mcpbridge.message.Request;
import io.mcpbridge.message.Response;
import io.mcpbridge.spi.CallContext;
import io.mcpbridge.spi.CallStage;
import io.mcpbridge.spi.ChildProcess;
import io.mcpbridge.spi.Environment;
import io.mcpbridge.spi.LaunchCommand;
import io.mcpbridge.spi.ProcessLauncher;
import io.mcpbridge.spi.SchemaCheck;
import io.mcpbridge.spi.SchemaCheckProvider;
import io.mcpbridge.spi.Settings;
import io.mcpbridge.spi.StageContext;
import io.mcpbridge.spi.StageContext.ToolListener;
import io.mcpbridge.testkit.FakeTimekeeper;
import io.mcpbridge.testkit.RecordingReply;
import io.mcpbridge.testkit.StageFixture;
import io.mcpbridge.tool.ToolDefinition;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What the stage lets pass, and what it says of the rest. */
class SchemaCheckStageTest {
    private static final ToolDefinition ADD =
            ToolDefinition.parse("{\"name\":\"add\",\"inputSchema\":{\"type\":\"object\","
                    + "\"additionalProperties\":{\"type\":\"integer\"}},\"outputSchema\":{\"type\":\"array\"}}");

    private final FakeTimekeeper time = new FakeTimekeeper();
    private final RecordingReply reply = new RecordingReply();
    private final List<String> passed = new ArrayList<>();
    private final Deque<Runnable> work = new ArrayDeque<>();
    private final List<String> checks = new ArrayList<>();
    private final List<Reply> replies = new ArrayList<>();
    private String result = "{\"structuredContent\":[1]}";

    @Test
    void stageIsCreatedOnlyIfConfigured() {
        assertThat(new SchemaCheckStageProvider().create(context(hearer -> {}))).isEmpty();
    }

    @Test
    void validArgumentsAndResultsPass() {
        call(hearer -> hearer.found(ADD), "{\"n\":1}");

        assertThat(passed).hasSize(1);
        assertThat(reply.awaitAnswer().json()).contains(result);
    }

    @Test
    void otherMethodsAreNotChecked() {
        var stage = stage(hearer -> hearer.refused(failure()), Runnable::run);

        StageFixture.send(stage, call(Methods.PROMPTS_GET, "{\"name\":\"add\"}"), reply, call -> passed.add("it"));

        assertThat(passed).containsExactly("it");
    }

    @Test
    void callOfAnUnknownToolPassesOrFailsByTheLookup() {
        call(ToolListener::undecided, "{\"n\":\"x\"}");
        assertThat(passed).hasSize(1);

        call(hearer -> hearer.refused(failure()), "{}");
        assertThat(passed).hasSize(1);
        assertThat(reply.outcomes()).hasSize(2);
    }

    @Test
    void invalidArgumentsAreRejectedWithTheFirstIssues() {
        call(
                hearer -> hearer.found(ADD),
                "{\"a\":\"\",\"b\":\"\",\"c\":\"\",\"d\":\"\",\"e\":\"\",\"f\":\"\",\"g\":\"\",\"h\":\"\",\"i\":\"\","
                        + "\"j\":\"\",\"k\":\"\",\"%s\":\"\"}".formatted("l".repeat(500)));

        assertThat(passed).isEmpty();
        assertThat(reply.awaitFailure())
                .returns(ErrorCode.INVALID_PARAMS, failure -> failure.code())
                .returns(true, failure -> failure.message().contains("/a: string found, integer expected; /b: "))
                .returns(true, failure -> failure.message().endsWith("; and 2 more"));
    }

    @Test
    void invalidResultIsAnErrorOfTheServer() {
        result = "{\"structuredContent\":{}}";

        call(hearer -> hearer.found(ADD), "{}");

        assertThat(reply.awaitFailure())
                .returns(ErrorCode.UPSTREAM_INVALID, failure -> failure.code())
                .returns(
                        "server 'sums' broke the protocol: the result of 'add' breaks its output schema: object found,"
                                + " array expected",
                        failure -> failure.message());
    }

    @Test
    void inputRequestsAndErrorResultsAreNotChecked() {
        result = "{\"resultType\":\"input_required\"}";
        call(hearer -> hearer.found(ADD), "{}");
        result = "{\"isError\":true}";
        call(hearer -> hearer.found(ADD), "{}");

        assertThat(reply.outcomes()).hasSize(2).allMatch(Outcome.Answered.class::isInstance);
    }

    @ParameterizedTest(name = "{0} instead of a thread")
    @MethodSource("refusals")
    void callIsNotSentIfTheCheckQueueIsFull(Throwable refusal) {
        Executor full = work -> throwUnchecked(refusal);

        StageFixture.send(
                stage(hearer -> hearer.found(ADD), full), call(Methods.TOOLS_CALL, "{}"), reply, this::answer);

        assertThat(passed).isEmpty();
        assertThat(reply.awaitFailure())
                .returns(ErrorCode.OVERLOADED, failure -> failure.code())
                .returns(Delivery.NOT_SENT, failure -> failure.delivery());
    }

    @ParameterizedTest(name = "{0} instead of a thread")
    @MethodSource("refusals")
    void answeredCallStaysAnsweredIfTheCheckQueueIsFull(Throwable refusal) {
        Executor fillsMeanwhile = work -> {
            if (!replies.isEmpty()) {
                throwUnchecked(refusal);
            }
            work.run();
        };
        StageFixture.send(
                stage(hearer -> hearer.found(ADD), fillsMeanwhile), call(Methods.TOOLS_CALL, "{}"), reply, this::keep);

        answerKept();

        assertThat(reply.awaitFailure())
                .returns(ErrorCode.OVERLOADED, failure -> failure.code())
                .returns(Delivery.ANSWERED, failure -> failure.delivery())
                .returns(
                        true,
                        failure -> failure.message()
                                .startsWith("server 'sums' answered, but the result of 'add' cannot be checked: "));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("endings")
    void callThatEndsBeforeItsCheckIsNotSent(Ending ending) {
        var call = call(Methods.TOOLS_CALL, "{}");
        StageFixture.send(stage(counting(), hearer -> hearer.found(ADD), work::add), call, reply, this::answer);

        ending.how().accept(this, call);

        assertThat(reply.awaitFailure())
                .returns(ending.code(), failure -> failure.code())
                .returns(Delivery.NOT_SENT, failure -> failure.delivery())
                .returns(true, failure -> failure.message().contains(ending.words()));
        runWork();
        assertThat(checks).isEmpty();
        assertThat(passed).isEmpty();
        assertThat(reply.outcomes()).hasSize(1);
        assertThat(time.pendingAlarms()).isZero();
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("endings")
    void callThatEndsBeforeItsResultIsCheckedStaysAnswered(Ending ending) {
        var call = call(Methods.TOOLS_CALL, "{}");
        StageFixture.send(stage(counting(), hearer -> hearer.found(ADD), work::add), call, reply, this::keep);
        runWork();
        answerKept();

        ending.how().accept(this, call);

        assertThat(reply.awaitFailure())
                .returns(ending.code(), failure -> failure.code())
                .returns(Delivery.ANSWERED, failure -> failure.delivery())
                .returns(true, failure -> failure.message().contains(ending.words()));
        runWork();
        assertThat(checks).hasSize(1);
        assertThat(reply.outcomes()).hasSize(1);
    }

    @Test
    void callThatEndsDuringItsCheckIsNotSent() {
        var call = call(Methods.TOOLS_CALL, "{}");
        var cancelling = checking(json -> call.cancellation().cancel(CancelReason.CLIENT_GONE));
        StageFixture.send(stage(cancelling, hearer -> hearer.found(ADD), work::add), call, reply, this::answer);

        runWork();

        assertThat(passed).isEmpty();
        assertThat(reply.outcomes()).hasSize(1);
        assertThat(reply.awaitFailure()).returns(Delivery.NOT_SENT, failure -> failure.delivery());
    }

    @Test
    void callerThatWaitsChecksOnItsOwnThread() {
        var call = call(Methods.TOOLS_CALL, "{\"name\":\"add\",\"arguments\":{\"n\":1}}")
                .withCallerWaiting();

        StageFixture.send(stage(hearer -> hearer.found(ADD), work::add), call, reply, this::answer);

        assertThat(work).isEmpty();
        assertThat(passed).hasSize(1);
        assertThat(reply.awaitAnswer().json()).contains(result);
    }

    @Test
    void waitingCallThatEndsDuringItsCheckIsNotSent() {
        var call = call(Methods.TOOLS_CALL, "{}").withCallerWaiting();
        var cancelling = checking(json -> call.cancellation().cancel(CancelReason.CLIENT_GONE));

        StageFixture.send(stage(cancelling, hearer -> hearer.found(ADD), work::add), call, reply, this::answer);

        assertThat(passed).isEmpty();
        assertThat(reply.awaitFailure()).returns(Delivery.NOT_SENT, failure -> failure.delivery());
    }

    @Test
    void completedCheckLeavesNoAlarm() {
        StageFixture.send(
                stage(hearer -> hearer.found(ADD), work::add), call(Methods.TOOLS_CALL, "{}"), reply, this::answer);
        assertThat(time.pendingAlarms()).isEqualTo(1);

        runWork();

        assertThat(reply.awaitAnswer().json()).contains(result);
        assertThat(time.pendingAlarms()).isZero();
    }

    /** How a call ends early, with the code and the words of that. */
    private record Ending(String name, BiConsumer<SchemaCheckStageTest, Call> how, ErrorCode code, String words) {
        @Override
        public String toString() {
            return name;
        }
    }

    static Ending[] endings() {
        return new Ending[] {
            new Ending(
                    "cancelled",
                    (test, call) -> call.cancellation().cancel(CancelReason.CLIENT_CANCELLED),
                    ErrorCode.CANCELLED,
                    "cancelled by the client"),
            new Ending(
                    "timed out",
                    (test, call) -> test.time.advance(Duration.ofMinutes(1)),
                    ErrorCode.PROVIDER_TIMEOUT,
                    "timed out"),
        };
    }

    @ParameterizedTest(name = "{0} in a check")
    @MethodSource("defects")
    void defectOfAnArgumentCheckFailsTheCall(Throwable defect) {
        StageFixture.send(
                stage(failing(defect, "{}"), hearer -> hearer.found(ADD), Runnable::run),
                call(Methods.TOOLS_CALL, "{\"name\":\"add\",\"arguments\":{}}"),
                reply,
                this::answer);

        assertThat(passed).isEmpty();
        assertThat(reply.outcomes()).hasSize(1);
        assertThat(reply.awaitFailure())
                .returns(ErrorCode.INTERNAL_ERROR, failure -> failure.code())
                .returns(Delivery.NOT_SENT, failure -> failure.delivery())
                .returns(true, failure -> failure.message().contains("cannot be checked, so nothing was sent: "));
    }

    @ParameterizedTest(name = "{0} in a check")
    @MethodSource("defects")
    void defectOfAResultCheckIsAnAnsweredFailure(Throwable defect) {
        StageFixture.send(
                stage(failing(defect, "[1]"), hearer -> hearer.found(ADD), Runnable::run),
                call(Methods.TOOLS_CALL, "{\"name\":\"add\",\"arguments\":{}}"),
                reply,
                this::answer);

        assertThat(passed).hasSize(1);
        assertThat(reply.outcomes()).hasSize(1);
        assertThat(reply.awaitFailure())
                .returns(ErrorCode.INTERNAL_ERROR, failure -> failure.code())
                .returns(Delivery.ANSWERED, failure -> failure.delivery())
                .returns(true, failure -> failure.message().contains("the result of 'add' cannot be checked: "));
    }

    static Throwable[] refusals() {
        return new Throwable[] {new RejectedExecutionException(), new OutOfMemoryError("unable to create native thread")
        };
    }

    static Throwable[] defects() {
        return new Throwable[] {new IllegalStateException("odd"), new StackOverflowError(), new OutOfMemoryError()};
    }

    /** Checks that end in a defect where they see this value. */
    private static SchemaCheckProvider failing(Throwable defect, String value) {
        return checking(json -> {
            if (json.equals(value)) {
                throwUnchecked(defect);
            }
        });
    }

    private static void throwUnchecked(Throwable defect) {
        if (defect instanceof Error error) {
            throw error;
        }
        throw (RuntimeException) defect;
    }

    /** Checks that find nothing and are counted. */
    private SchemaCheckProvider counting() {
        return checking(checks::add);
    }

    /** Checks that find nothing, but do that meanwhile. */
    private static SchemaCheckProvider checking(Consumer<String> meanwhile) {
        return new SchemaCheckProvider() {
            @Override
            public Id id() {
                return new Id("empty", SPI_VERSION);
            }

            @Override
            public SchemaCheck compile(String schemaJson) {
                return json -> {
                    meanwhile.accept(json);
                    return List.of();
                };
            }
        };
    }

    private void runWork() {
        while (!work.isEmpty()) {
            work.remove().run();
        }
    }

    private void keep(CallContext call) {
        replies.add(call);
    }

    private void answerKept() {
        replies.get(0).complete(Outcome.answered(Response.result(MessageId.of(1), result)));
    }

    private void call(Consumer<ToolListener> tools, String arguments) {
        var params = "{\"name\":\"add\",\"arguments\":%s}".formatted(arguments);
        StageFixture.send(stage(tools, Runnable::run), call(Methods.TOOLS_CALL, params), reply, this::answer);
    }

    private Call call(String method, String params) {
        var request = Request.of(MessageId.of(1), method, params);
        var caller = Caller.ANONYMOUS;
        return Call.of(request, caller, "c-1", Deadline.after(Duration.ofMinutes(1), time));
    }

    private void answer(CallContext call) {
        passed.add(call.correlationId());
        call.complete(Outcome.answered(Response.result(call.request().id(), result)));
    }

    private static Failure failure() {
        return Failure.of(ErrorCode.INVALID_PARAMS, "Unknown tool: add");
    }

    private CallStage stage(Consumer<ToolListener> tools, Executor threads) {
        return stage(new JsonSchemaCheckProvider(), tools, threads);
    }

    private CallStage stage(SchemaCheckProvider checks, Consumer<ToolListener> tools, Executor threads) {
        return new SchemaCheckStageProvider(checks, threads)
                .create(context(tools).withSettings(Settings.of(Map.of())))
                .orElseThrow();
    }

    private StageContext context(Consumer<ToolListener> tools) {
        return StageContext.of("sums", Environment.of(time, Runnable::run, new NoProcesses()))
                .withTools((call, hearer) -> tools.accept(hearer));
    }

    private static final class NoProcesses implements ProcessLauncher {

        @Override
        public ChildProcess launch(LaunchCommand command) {
            throw new IllegalStateException("a check starts no process");
        }

        @Override
        public void close() {}
    }
}
