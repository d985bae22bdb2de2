package io.mcpbridge.catalog.check;

import static org.assertj.core.api.Assertions.assertThat;

import io.mcpbridge.call.Call;
import io.mcpbridge.call.Caller;
import io.mcpbridge.call.Deadline;
import io.mcpbridge.call.Outcome;
import io.mcpbridge.call.Reply;
import io.mcpbridge.failure.Delivery;
import io.mcpbridge.failure.ErrorCode;
import io.mcpbridge.failure.Failure;
import io.mcpbridge.message.MessageId;
import io.mcpbridge.message.Methods;
import io.mcpbridge.message.Request;
import io.mcpbridge.message.Response;
import io.mcpbridge.spi.CallStage;
import io.mcpbridge.spi.ChildProcess;
import io.mcpbridge.spi.Command;
import io.mcpbridge.spi.Environment;
import io.mcpbridge.spi.ProcessLauncher;
import io.mcpbridge.spi.Settings;
import io.mcpbridge.spi.StageContext;
import io.mcpbridge.spi.ToolHearer;
import io.mcpbridge.testkit.FakeTimekeeper;
import io.mcpbridge.testkit.RecordingReply;
import io.mcpbridge.tool.ToolDefinition;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/** What the stage lets pass, and what it says of the rest. */
class SchemaCheckStageTest {
    private static final ToolDefinition ADD =
            ToolDefinition.parse("{\"name\":\"add\",\"inputSchema\":{\"type\":\"object\","
                    + "\"additionalProperties\":{\"type\":\"integer\"}},\"outputSchema\":{\"type\":\"array\"}}");

    private final FakeTimekeeper time = new FakeTimekeeper();
    private final RecordingReply reply = new RecordingReply();
    private final List<String> passed = new ArrayList<>();
    private String result = "{\"structuredContent\":[1]}";

    @Test
    void stageIsThereWhereItIsConfigured() {
        assertThat(new SchemaCheckStageProvider()
                        .create(context(hearer -> {}, Runnable::run).build()))
                .isEmpty();
    }

    @Test
    void whatFitsPassesBothWays() {
        call(hearer -> hearer.found(ADD), "{\"n\":1}");

        assertThat(passed).hasSize(1);
        assertThat(reply.awaitAnswer().json()).contains(result);
    }

    @Test
    void otherMethodsPassUnseen() {
        var stage = stage(hearer -> hearer.refused(failure()), Runnable::run);

        stage.handle(call(Methods.PROMPTS_GET, "{\"name\":\"add\"}"), reply, (call, answer) -> passed.add("it"));

        assertThat(passed).containsExactly("it");
    }

    @Test
    void callOfAToolThatNobodyKnowsPassesOrEndsAsItIsDecided() {
        call(ToolHearer::undecided, "{\"n\":\"x\"}");
        assertThat(passed).hasSize(1);

        call(hearer -> hearer.refused(failure()), "{}");
        assertThat(passed).hasSize(1);
        assertThat(reply.outcomes()).hasSize(2);
    }

    @Test
    void argumentsThatDoNotFitAreRefusedWithTheFirstOfTheirIssues() {
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
    void resultThatDoesNotFitIsTheMistakeOfTheServer() {
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
    void questionAndFailureAreNotCompared() {
        result = "{\"resultType\":\"input_required\"}";
        call(hearer -> hearer.found(ADD), "{}");
        result = "{\"isError\":true}";
        call(hearer -> hearer.found(ADD), "{}");

        assertThat(reply.outcomes()).hasSize(2).allMatch(Outcome.Answered.class::isInstance);
    }

    @Test
    void bridgeThatEndsSaysSo() {
        Executor ended = work -> {
            throw new RejectedExecutionException();
        };

        stage(hearer -> hearer.found(ADD), ended).handle(call(Methods.TOOLS_CALL, "{}"), reply, this::answer);

        assertThat(reply.awaitFailure().code()).isEqualTo(ErrorCode.SHUTTING_DOWN);
    }

    @Test
    void callThatWasAnsweredStaysAnsweredWhenTheBridgeEnds() {
        Executor endsMeanwhile = work -> {
            if (!passed.isEmpty()) {
                throw new RejectedExecutionException();
            }
            work.run();
        };

        stage(hearer -> hearer.found(ADD), endsMeanwhile).handle(call(Methods.TOOLS_CALL, "{}"), reply, this::answer);

        assertThat(reply.awaitFailure().delivery()).isEqualTo(Delivery.ANSWERED);
    }

    private void call(Consumer<ToolHearer> tools, String arguments) {
        var params = "{\"name\":\"add\",\"arguments\":%s}".formatted(arguments);
        stage(tools, Runnable::run).handle(call(Methods.TOOLS_CALL, params), reply, this::answer);
    }

    private Call call(String method, String params) {
        var request = Request.of(MessageId.of(1), method, params);
        var caller = Caller.builder().build();
        return Call.of(request, caller, "c-1", Deadline.after(Duration.ofMinutes(1), time));
    }

    private void answer(Call call, Reply answer) {
        passed.add(call.correlationId());
        answer.done(Outcome.answered(Response.result(call.request().id(), result)));
    }

    private static Failure failure() {
        return Failure.of(ErrorCode.INVALID_PARAMS, "Unknown tool: add");
    }

    private CallStage stage(Consumer<ToolHearer> tools, Executor workers) {
        return new SchemaCheckStageProvider()
                .create(context(tools, workers).settings(Settings.of(Map.of())).build())
                .orElseThrow();
    }

    private StageContext.Builder context(Consumer<ToolHearer> tools, Executor workers) {
        return StageContext.of(
                        "sums",
                        Environment.with(time, workers, new NoProcesses()).build())
                .tools((call, hearer) -> tools.accept(hearer));
    }

    private static final class NoProcesses implements ProcessLauncher {

        @Override
        public ChildProcess launch(Command command) {
            throw new IllegalStateException("a check starts no process");
        }

        @Override
        public void close() {}
    }
}
