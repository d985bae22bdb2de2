package io.mcpbridge.server;

import io.mcpbridge.call.Call;
import io.mcpbridge.call.CancelReason;
import io.mcpbridge.call.Outcome;
import io.mcpbridge.call.Reply;
import io.mcpbridge.call.Timekeeper;
import io.mcpbridge.failure.BridgeException;
import io.mcpbridge.failure.Delivery;
import io.mcpbridge.failure.ErrorCode;
import io.mcpbridge.failure.ErrorText;
import io.mcpbridge.failure.Failure;
import io.mcpbridge.failure.ProtocolException;
import io.mcpbridge.message.MessageField;
import io.mcpbridge.message.Response;
import io.mcpbridge.spi.AuditSink.AuditedCall;
import io.mcpbridge.spi.AuditSink.ToolEnter;
import io.mcpbridge.spi.AuditSink.ToolExit;
import io.mcpbridge.spi.SchemaCheck.SchemaIssue;
import io.mcpbridge.tool.Json;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * One call of a tool on its way through the five stages: per-tool lock, schema validation, audit enter, dispatch, audit
 * exit. Made for each call; one thread at a time.
 */
final class ToolCallRunner implements SerialCallQueue.Task {
    private static final String VALIDATION_FAILED = "schema validation failed";
    private static final String HANDLER_ERROR = "HANDLER_ERROR";

    private final RegisteredTool tool;
    private final ServerMode mode;
    private final Call call;
    private final Reply reply;
    private final Resources resources;
    private final AuditedCall audited;
    private int attempts;

    ToolCallRunner(RegisteredTool tool, ServerMode mode, Call call, Reply reply, Resources resources) {
        this.tool = tool;
        this.mode = mode;
        this.call = call;
        this.reply = reply;
        this.resources = resources;
        this.audited = AuditedCall.of(call, "", tool.name(), tool.json(), tool.sandbox());
    }

    /** Stage 1: admits the call, and starts it when no other call of the tool runs. A call that waits holds no thread. */
    void begin() {
        var refusal = mode.refuses(tool.config());
        if (refusal.isPresent()) {
            deny("ToolNotAdmitted: the tool '%s' is not admitted in mode %s: it %s"
                    .formatted(tool.name(), mode, refusal.get()));
        } else if (tool.config().isParallel()) {
            start();
        } else {
            tool.executor().execute(this, call.cancellation());
        }
    }

    private void deny(String why) {
        var failure = Failure.of(ErrorCode.TOOL_NOT_ADMITTED, why);
        resources.audit().denied(audited, failure);
        reply.complete(Outcome.failed(failure));
    }

    @Override
    public void start() {
        try {
            resources.threads().execute(this::runAll);
        } catch (RejectedExecutionException full) {
            var message = "'%s' finds no thread to run on".formatted(tool.name());
            end(failed(ErrorCode.OVERLOADED, message), 0);
            next().ifPresent(SerialCallQueue.Task::start);
        }
    }

    /** Runs the call, and then those of the tool that wait, for each of which another thread would have to wake. */
    private void runAll() {
        run();
        for (var next = next(); next.isPresent(); next = next()) {
            // What foreign code has left.
            Thread.interrupted();
            next.get().run();
        }
    }

    @Override
    public void cancelled(CancelReason reason) {
        var message = "'%s' was cancelled while it waited for other calls of the tool: %s"
                .formatted(tool.name(), reason.text());
        end(failed(reason.code(), message), 0);
    }

    @Override
    public void rejected() {
        var message = "%d calls of '%s' wait already, which is the limit; call again later"
                .formatted(SerialCallQueue.MAX_WAITING, tool.name());
        end(failed(ErrorCode.OVERLOADED, message), 0);
    }

    @Override
    public void run() {
        try {
            stages();
        } catch (Throwable defect) {
            // The outermost frame of a call: its client gets an answer whatever is thrown.
            reply.complete(thrown(defect).forClient());
        }
    }

    private Optional<SerialCallQueue.Task> next() {
        return tool.config().isParallel() ? Optional.empty() : tool.executor().next();
    }

    /** Stages 2 to 5, on the thread of the call. */
    private void stages() {
        var json = call.request().raw(MessageField.ARGUMENTS).orElse("{}");
        ToolHandler handler;
        Map<String, @Nullable Object> arguments;
        try {
            arguments = validate(json); // 2
            handler = tool.binding().apply(arguments);
        } catch (InvalidArgumentsException invalid) {
            end(invalid(invalid), 0);
            return;
        } catch (Throwable defect) {
            // Schema checks and records are foreign code; a defect in them ends only this call.
            end(thrown(defect), 0);
            return;
        }
        var begin = resources.clock().getAsLong();
        var result = dispatch(handler, json, arguments, begin); // 3 and 4
        end(result, resources.clock().getAsLong() - begin); // 5
    }

    private Map<String, @Nullable Object> validate(String json) {
        Map<String, @Nullable Object> arguments;
        try {
            arguments = Json.parse(json).asMap();
        } catch (ProtocolException unreadable) {
            var message =
                    "the arguments cannot be read: " + unreadable.failure().message();
            throw new InvalidArgumentsException(List.of(new SchemaIssue("", message)));
        }
        var issues = tool.check().issues(json);
        if (!issues.isEmpty()) {
            throw new InvalidArgumentsException(issues);
        }
        return arguments;
    }

    private InvocationResult dispatch(
            ToolHandler handler, String json, Map<String, @Nullable Object> arguments, long begin) {
        try (var interruption = new Interruption(call.cancellation())) {
            interruption.check();
            resources.audit().enter(new ToolEnter(audited, json, "", begin)); // 3
            attempts = 1;
            return returned(await(handler.handle(toolCall(arguments)))); // 4
        } catch (Throwable thrown) {
            // The outermost frame of a handler: whatever it throws is its result.
            var result = thrown(thrown);
            return attempts == 0 || isOfSandbox(thrown) ? result : result.fromHandler();
        }
    }

    /** The value of a future, or the value itself. The thread waits, so the call keeps the lock of the tool. */
    private @Nullable Object await(@Nullable Object returned) throws Throwable {
        if (!(returned instanceof CompletionStage<?> stage)) {
            return returned;
        }
        var future = stage.toCompletableFuture();
        try {
            return future.get();
        } catch (ExecutionException failed) {
            throw cause(failed);
        } finally {
            if (call.cancellation().isCancelled()) {
                var unused = future.whenComplete((value, failure) -> logUnhandled(failure));
            }
        }
    }

    /** The client of a cancelled call gets no result, so the failure of its future goes to the log. */
    private void logUnhandled(@Nullable Throwable failure) {
        if (failure != null) {
            var why = failure instanceof CompletionException ? cause(failure) : failure;
            resources.logger().log(Level.ERROR, "[mcp-bridge] unhandledRejection: " + why, why);
        }
    }

    private static Throwable cause(Throwable wrapper) {
        var cause = wrapper.getCause();
        return cause == null ? wrapper : cause;
    }

    /** A handler in its own process throws only exceptions of the bridge about that process. */
    private boolean isOfSandbox(Throwable thrown) {
        return thrown instanceof BridgeException && !tool.sandbox().isEmpty();
    }

    private ToolCall toolCall(Map<String, @Nullable Object> arguments) {
        var client = new CallingClient(tool.name(), call, reply, resources.timekeeper());
        return new ToolCall(tool.name(), arguments, call, client);
    }

    /** Stage 5: records the end, then answers. A handler that asks its client waits for it, so a call has one end. */
    private void end(InvocationResult result, long nanos) {
        var duration = Duration.ofMillis(nanos / 1_000_000);
        var exit = new ToolExit(audited, duration, attempts, result.forAudit());
        resources.audit().exit(exit, () -> reply.complete(result.forClient()));
    }

    /**
     * The handler returned a value.
     *
     * @throws IllegalArgumentException if it has no JSON form, or does not fit the output schema
     */
    private InvocationResult returned(@Nullable Object value) {
        var outcome = answer(tool.results().success(value));
        return new InvocationResult(outcome, outcome);
    }

    /** The arguments failed validation. */
    private InvocationResult invalid(InvalidArgumentsException invalid) {
        var issues = invalid.issues().stream().map(PlainValues::of).toList();
        var failure = Failure.of(ErrorCode.INVALID_PARAMS, VALIDATION_FAILED + ": " + invalid.getMessage());
        return new InvocationResult(
                error("INVALID_PARAMS", VALIDATION_FAILED, Map.of("issues", issues)), Outcome.failed(failure));
    }

    /** The call did not reach the handler, and its answer is an error of the protocol. */
    private static InvocationResult failed(ErrorCode code, String message) {
        var outcome = Outcome.failed(Failure.of(code, message));
        return new InvocationResult(outcome, outcome);
    }

    /** The handler, or a stage before it, threw. A cancelled call ends as cancelled, whatever was thrown. */
    private InvocationResult thrown(Throwable thrown) {
        var cancelled = ServedRequest.cancelled(call, thrown);
        if (cancelled.isPresent()) {
            return new InvocationResult(cancelled.get(), cancelled.get());
        }
        if (thrown instanceof BridgeException ours) {
            return ofFailure(ours.failure());
        }
        var message = ErrorText.of(thrown);
        var failure = thrown instanceof AuditRecorder.EnterFailedException
                ? Failure.of(ErrorCode.AUDIT_UNAVAILABLE, message)
                : Failure.of(ErrorCode.INTERNAL_ERROR, message).withDelivery(Delivery.ANSWERED);
        return new InvocationResult(error(HANDLER_ERROR, message, Map.of()), Outcome.failed(failure.withCause(thrown)));
    }

    /** The details have the code of the bridge, which tells programs more than the message does. */
    private InvocationResult ofFailure(Failure failure) {
        var details = new LinkedHashMap<String, Object>();
        details.put("code", failure.code().name());
        details.put("retryable", failure.retryable());
        return new InvocationResult(error(HANDLER_ERROR, failure.message(), details), Outcome.failed(failure));
    }

    private Outcome error(String code, String message, Map<String, ?> details) {
        return answer(tool.results().error(code, message, details));
    }

    private Outcome answer(String result) {
        return Outcome.answered(Response.result(call.request().id(), result));
    }

    /**
     * What the calls of one server share.
     *
     * @param threads of handlers, which may block
     * @param clock monotonic nanoseconds, for the audit
     * @param timekeeper for the time-out of questions to clients
     */
    record Resources(
            AuditRecorder audit, Executor threads, LongSupplier clock, Timekeeper timekeeper, System.Logger logger) {}

    /**
     * How a call of a tool ended.
     *
     * @param forClient the answer, which can describe an error
     * @param forAudit the same, where an error is a failure
     */
    private record InvocationResult(Outcome forClient, Outcome forAudit) {

        /** The same for what the handler itself threw: the audit records an answer with an error of the tool. */
        InvocationResult fromHandler() {
            if (!(forClient instanceof Outcome.Answered) || !(forAudit instanceof Outcome.Failed failed)) {
                return this;
            }
            var failure = failed.failure().withDelivery(Delivery.ANSWERED).withToolError();
            return new InvocationResult(forClient, Outcome.failed(failure));
        }
    }
}
