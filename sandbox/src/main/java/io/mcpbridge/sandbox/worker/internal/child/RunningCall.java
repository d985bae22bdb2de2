package io.mcpbridge.sandbox.worker.internal.child;

import io.mcpbridge.sandbox.worker.SandboxedCall;
import io.mcpbridge.sandbox.worker.internal.frame.Order;
import java.time.Duration;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A call as its tool sees it; its time began when the order was read. */
final class RunningCall implements SandboxedCall {
    private final Order order;
    private final long begun = System.nanoTime();

    RunningCall(Order order) {
        this.order = order;
    }

    @Override
    public String tool() {
        return order.tool();
    }

    @Override
    public Map<String, @Nullable Object> arguments() {
        return order.arguments();
    }

    @Override
    public String correlationId() {
        return order.correlationId();
    }

    @Override
    public Duration remaining() {
        return Duration.ofNanos(Math.max(0, order.nanosLeft() - (System.nanoTime() - begun)));
    }
}
