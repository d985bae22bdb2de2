package io.mcpbridge.sandbox.worker;

import io.mcpbridge.failure.Delivery;
import io.mcpbridge.sandbox.worker.internal.frame.Order;
import io.mcpbridge.serve.ToolCall;
import io.mcpbridge.serve.ToolHandler;
import java.nio.ByteBuffer;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** Has the calls of one tool run by workers. Any thread may use it; each waits for its call. */
final class PooledTool implements ToolHandler {
    private final String type;
    private final ToolLimits limits;
    private final WorkerOptions options;
    private final WorkerGroup workers;

    PooledTool(String type, ToolLimits limits, WorkerOptions options, WorkerGroup workers) {
        this.type = type;
        this.limits = limits;
        this.options = options;
        this.workers = workers;
    }

    @Override
    public String sandbox() {
        return workers.level().name();
    }

    @Override
    public @Nullable Object handle(ToolCall call) throws Exception {
        // What cannot be written takes no worker.
        var order = order(call);
        var worker = workers.take();
        Order.leave(least(limits.maxExecution(), call.remaining()), order);
        var guard = workers.guard(worker);
        var alarm = guard.cutAfter(limits.maxExecution());
        call.onCancel(reason -> guard.cut(Cut.WITHDRAWN));
        try {
            return result(call.tool(), run(call.tool(), order, worker, guard));
        } finally {
            alarm.cancel(false);
        }
    }

    /** Runs it, and gives the worker back or up. */
    private Worker.Answer run(String tool, ByteBuffer order, Worker worker, Guard guard) throws Exception {
        Worker.@Nullable Answer answer = null;
        try {
            answer = worker.run(order, options.maxResultBytes());
            if (guard.finish()) {
                return answer;
            }
            throw told(tool, guard, "");
        } catch (WorkerLostException lost) {
            var ignored = guard.finish();
            throw told(tool, guard, String.valueOf(lost.getMessage()));
        } finally {
            if (answer == null || guard.cut().isPresent()) {
                // A call has not ended before everything that it started has.
                worker.kill();
                workers.lost(worker);
            } else {
                workers.give(worker, answer.report());
            }
        }
    }

    private ByteBuffer order(ToolCall call) {
        var order = new Order(type, call.tool(), call.correlationId(), 0, options.maxResultBytes(), call.arguments());
        try {
            return order.written();
        } catch (IllegalArgumentException unfit) {
            throw Failures.unfit(call.tool(), unfit);
        }
    }

    private static Duration least(Duration one, Duration other) {
        return one.compareTo(other) <= 0 ? one : other;
    }

    private Exception told(String tool, Guard guard, String how) {
        var cut = guard.cut();
        if (cut.isEmpty()) {
            return Failures.crashed(tool, how, limits.maxMemoryMb());
        }
        return switch (cut.get()) {
            case TIMED_OUT -> Failures.timedOut(tool, limits.maxExecution());
            case WITHDRAWN -> new InterruptedException("'%s' was withdrawn, and its worker killed".formatted(tool));
            case CLOSED -> Failures.closed(Delivery.UNKNOWN);
        };
    }

    private @Nullable Object result(String tool, Worker.Answer answer) throws ToolFailedException {
        return switch (answer.kind()) {
            case DONE -> answer.report().value();
            case TOO_LARGE -> throw Failures.tooLarge(tool, options.maxResultBytes());
            default ->
                throw new ToolFailedException(String.valueOf(answer.report().value()));
        };
    }
}
