package io.mcpbridge.serve;

import io.mcpbridge.call.Call;
import io.mcpbridge.call.CancelReason;
import io.mcpbridge.call.Outcome;
import io.mcpbridge.call.Reply;
import io.mcpbridge.call.TraceParent;
import io.mcpbridge.failure.BridgeException;
import io.mcpbridge.failure.ErrorCode;
import io.mcpbridge.failure.Failure;
import io.mcpbridge.message.Part;
import io.mcpbridge.serve.schema.Arguments;
import io.mcpbridge.serve.schema.UnfitException;
import io.mcpbridge.spi.ToolEnter;
import io.mcpbridge.spi.ToolExit;
import java.time.Duration;
import java.util.concurrent.RejectedExecutionException;

/**
 * One call of a tool on its way through the five stages: its turn, the check of its arguments, the audit's enter, the
 * tool itself, the audit's exit.
 */
final class ToolRun implements Turns.Taker {
    private final RegisteredTool tool;
    private final Mode mode;
    private final Call call;
    private final Reply reply;
    private final RunParts parts;
    private final TraceParent trace;
    private int attempts;

    ToolRun(RegisteredTool tool, Mode mode, Call call, Reply reply, RunParts parts) {
        this.tool = tool;
        this.mode = mode;
        this.call = call;
        this.reply = reply;
        this.parts = parts;
        this.trace = TraceParent.of(call);
    }

    /** Stage 1: the tool is admitted, and it is this call's turn. Does not wait: whoever has to holds no thread. */
    void begin() {
        var refusal = mode.refuses(tool.config());
        if (refusal.isPresent()) {
            deny("ToolNotAdmitted: the tool '%s' is not admitted in mode %s: it %s"
                    .formatted(tool.name(), mode, refusal.get()));
        } else if (tool.config().isParallel()) {
            granted();
        } else {
            tool.turns().take(call.cancellation(), this);
        }
    }

    @Override
    public void granted() {
        try {
            parts.threads().execute(this::run);
        } catch (RejectedExecutionException full) {
            end(RunEnd.failed(ErrorCode.OVERLOADED, "'%s' finds no thread to run on".formatted(tool.name())), 0);
            pass();
        }
    }

    private void run() {
        try {
            stages();
        } catch (Throwable defect) {
            // The outermost frame of a call: whatever is thrown on its way, its client is answered.
            reply.done(RunEnd.thrown(call, defect).told());
        } finally {
            pass();
        }
    }

    private void pass() {
        if (!tool.config().isParallel()) {
            tool.turns().pass();
        }
    }

    /** Stages 2 to 5, on the call's own thread. */
    private void stages() {
        ToolHandler bound;
        Arguments arguments;
        try {
            arguments = Arguments.read(call.request().raw(Part.ARGUMENTS).orElse("{}"), tool.check()); // 2
            bound = tool.binding().apply(arguments.values());
        } catch (UnfitException unfit) {
            end(RunEnd.invalid(call, unfit), 0);
            return;
        } catch (Throwable defect) {
            // What checks and binds comes from elsewhere too, and its defect is this call's end.
            end(RunEnd.thrown(call, defect), 0);
            return;
        }
        var begin = parts.clock().getAsLong();
        end(dispatch(bound, arguments, begin), parts.clock().getAsLong() - begin); // 5
    }

    private RunEnd dispatch(ToolHandler bound, Arguments arguments, long begin) {
        try (var interruption = new Interruption(call.cancellation())) {
            interruption.check();
            parts.trail().enter(entering(arguments.json(), begin)); // 3
            attempts = 1;
            return RunEnd.ok(call, bound.handle(seen(arguments))); // 4
        } catch (Throwable failed) {
            // The outermost frame of a tool: whatever it throws is its result.
            var end = RunEnd.thrown(call, failed);
            return attempts == 0 || isOfItsProcess(failed) ? end : end.byTool();
        }
    }

    /** Of a tool with a process for itself, it is the bridge that throws these: what the tool throws is told in words. */
    private boolean isOfItsProcess(Throwable failed) {
        return failed instanceof BridgeException && !tool.audited().sandbox().isEmpty();
    }

    private ToolCall seen(Arguments arguments) {
        var client = new CallingClient(tool.name(), call, reply, parts.timekeeper());
        return new ToolCall(tool.name(), arguments.values(), call, client);
    }

    private ToolEnter entering(String arguments, long nanoTime) {
        var caller = call.caller();
        return new ToolEnter(
                call.correlationId(),
                tool.audited(),
                arguments,
                caller.principal(),
                caller.clientId(),
                trace,
                "",
                nanoTime);
    }

    /** Stage 5: records the end, and then tells it. A tool that asks its client waits itself, so it has one end. */
    private void end(RunEnd ending, long nanos) {
        var duration = Duration.ofMillis(nanos / 1_000_000);
        var caller = call.caller();
        var exit = new ToolExit(
                call.correlationId(),
                tool.audited(),
                caller.principal(),
                caller.clientId(),
                trace,
                duration,
                attempts,
                ending.recorded());
        parts.trail().exit(exit, () -> reply.done(ending.told()));
    }

    private void deny(String why) {
        var failure = Failure.of(ErrorCode.TOOL_NOT_ADMITTED, why);
        parts.trail().denied(call, tool.audited(), failure);
        reply.done(Outcome.failed(failure));
    }

    @Override
    public void withdrawn(CancelReason reason) {
        var words = "'%s' did not get its turn: %s".formatted(tool.name(), reason.text());
        end(RunEnd.failed(reason.code(), words), 0);
    }

    @Override
    public void crowdedOut() {
        var words = "%d calls of '%s' wait for their turn already, which is the limit"
                .formatted(Turns.MOST_WAITING, tool.name());
        end(RunEnd.failed(ErrorCode.OVERLOADED, words), 0);
    }
}
