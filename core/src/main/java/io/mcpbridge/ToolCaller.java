package io.mcpbridge;

import io.mcpbridge.call.Call;
import io.mcpbridge.call.CancelReason;
import io.mcpbridge.call.CorrelationIds;
import io.mcpbridge.call.Deadline;
import io.mcpbridge.call.Handler;
import io.mcpbridge.call.JsonRpcErrors;
import io.mcpbridge.call.Outcome;
import io.mcpbridge.call.Reply;
import io.mcpbridge.failure.BridgeException;
import io.mcpbridge.failure.CallException;
import io.mcpbridge.failure.Failure;
import io.mcpbridge.internal.json.Json;
import io.mcpbridge.message.JsonText;
import io.mcpbridge.message.Message;
import io.mcpbridge.message.MessageId;
import io.mcpbridge.message.Methods;
import io.mcpbridge.message.Notification;
import io.mcpbridge.message.Part;
import io.mcpbridge.message.Request;
import io.mcpbridge.message.Response;
import io.mcpbridge.spi.Environment;
import io.mcpbridge.tool.ToolResult;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;

/** Makes calls for Java programs and turns outcomes into results and exceptions. Any thread. */
final class ToolCaller {
    private final Environment environment;
    private final Set<Call> open = ConcurrentHashMap.newKeySet();
    private volatile boolean isClosed;

    ToolCaller(Environment environment) {
        this.environment = environment;
    }

    /** Withdraws every call under way, the ones that pause between two attempts included. */
    void close() {
        isClosed = true;
        open.forEach(ToolCaller::withdraw);
    }

    private static void withdraw(Call call) {
        call.cancellation().cancel(CancelReason.SHUTTING_DOWN);
    }

    /**
     * What to call, and how.
     *
     * @param from the program as the server meets it
     * @param subject what failures name
     * @param reading makes the result
     */
    record Order<T>(
            Counterpart from,
            Handler handler,
            Request request,
            String subject,
            Reading<T> reading,
            Duration overall,
            CallOptions options) {}

    /** Makes a result of the raw JSON, the correlation id and the time that it took. */
    interface Reading<T> {
        T read(String json, String correlationId, Duration duration);
    }

    /** Calls and waits; an interrupted caller withdraws the call. */
    <T> T call(Order<T> order) throws InterruptedException {
        var pending = new Pending<>(order);
        var result = pending.begin(pending.call.withCallerWaiting());
        try {
            return result.get();
        } catch (InterruptedException interrupted) {
            pending.call.cancellation().cancel(CancelReason.CLIENT_CANCELLED);
            throw interrupted;
        } catch (ExecutionException failed) {
            throw told(failed);
        }
    }

    /** Calls without waiting; what depends on the future runs on a worker, and cancelling it withdraws the call. */
    <T> CompletableFuture<T> callAsync(Order<T> order) {
        var pending = new Pending<>(order);
        var result = pending.begin(pending.call).thenApplyAsync(done -> done, environment.workers());
        return withdrawing(result, pending.call);
    }

    private static <T> CompletableFuture<T> withdrawing(CompletableFuture<T> result, Call call) {
        // The copy that this returns completes with the result; nobody needs it.
        var unused = result.whenComplete((done, failed) -> {
            if (result.isCancelled()) {
                call.cancellation().cancel(CancelReason.CLIENT_CANCELLED);
            }
        });
        return result;
    }

    private static BridgeException told(ExecutionException failed) {
        if (failed.getCause() instanceof BridgeException exception) {
            // The stack of the waiting thread says more than that of the thread that read the answer.
            exception.setStackTrace(new Throwable().getStackTrace());
            return exception;
        }
        throw new IllegalStateException("the call ended in a defect of the bridge", failed.getCause());
    }

    /** One call under way. */
    private final class Pending<T> implements Reply {
        private final Order<T> order;
        private final Call call;
        private final long begun;
        private final CompletableFuture<T> result = new CompletableFuture<>();

        private Pending(Order<T> order) {
            var correlationId =
                    order.options().correlationId().orElseGet(() -> CorrelationIds.next(environment.random()));
            var deadline = Deadline.after(order.overall(), environment.timekeeper());
            this.order = order;
            this.begun = environment.timekeeper().nanoTime();
            this.call = Call.of(order.request(), order.from().caller(), correlationId, deadline);
        }

        private CompletableFuture<T> begin(Call prepared) {
            open.add(call);
            if (isClosed) {
                withdraw(call);
            }
            order.handler().handle(prepared, this);
            return result;
        }

        @Override
        public void event(Message progressOrLog) {
            if (!(progressOrLog instanceof Notification told)) {
                return;
            }
            if (told.method().equals(Methods.LOG_MESSAGE)) {
                order.from().logged(told);
            }
            if (told.method().equals(Methods.PROGRESS)) {
                var params = told.raw(Part.PARAMS);
                order.options().progress().ifPresent(listener -> params.ifPresent(json -> tell(listener, json)));
            }
        }

        private void tell(ProgressListener listener, String json) {
            try {
                listener.progressed(json);
            } catch (RuntimeException failed) {
                // The thread reads the server's answers and must not end with somebody else's defect.
                environment.logger().log(Level.WARNING, "[mcp-bridge] a progress listener failed", failed);
            }
        }

        @Override
        public void done(Outcome outcome) {
            open.remove(call);
            try {
                result.complete(result(outcome));
            } catch (RuntimeException failed) {
                // A defect too has to reach the caller, who would wait for ever otherwise.
                result.completeExceptionally(failed);
            }
        }

        private T result(Outcome outcome) {
            if (outcome instanceof Outcome.Failed failed) {
                throw CallException.of(failed.failure());
            }
            var answered = (Outcome.Answered) outcome;
            Response response = answered.response();
            if (response.isError()) {
                throw CallException.of(answeredError(response).withAttempts(answered.attempts()));
            }
            var duration = Duration.ofNanos(environment.timekeeper().nanoTime() - begun);
            return order.reading().read(response.raw(Part.RESULT).orElse("{}"), call.correlationId(), duration);
        }

        private Failure answeredError(Response response) {
            var failure = JsonRpcErrors.toldToCaller(response);
            return failure.withMessage("%s: %s".formatted(order.subject(), failure.message()));
        }
    }

    /** What to say to a tool. */
    static ToolRequest tool(String tool, Map<String, ?> arguments, CallOptions options) {
        var meta = options.progress().isPresent() ? ",\"_meta\":{\"progressToken\":0}" : "";
        var params = "{\"name\":" + JsonText.quote(tool) + ",\"arguments\":" + Json.write(arguments) + meta + "}";
        return new ToolRequest(tool, Request.of(MessageId.of(0), Methods.TOOLS_CALL, params), options);
    }

    /** A request to a tool, which any server may get. */
    record ToolRequest(String tool, Request request, CallOptions options) {

        Order<ToolResult> of(Counterpart from, Handler handler, Duration overall) {
            return new Order<>(
                    from,
                    handler,
                    request,
                    "tool '" + tool + "'",
                    (json, correlationId, duration) -> ToolResult.parse(tool, json, correlationId, duration),
                    overall,
                    options);
        }
    }
}
