package io.mcpbridge.pipeline;

import io.mcpbridge.call.Handler;
import io.mcpbridge.spi.CallStage;
import java.util.List;

/** Puts stages in front of a handler. */
public final class Pipeline {

    private Pipeline() {}

    /** A handler that passes each call through {@code stages}, the first one outermost, to {@code last}. */
    public static Handler of(List<CallStage> stages, Handler last) {
        var handler = last;
        for (int i = stages.size() - 1; i >= 0; i--) {
            handler = before(stages.get(i), handler);
        }
        return handler;
    }

    private static Handler before(CallStage stage, Handler next) {
        return (call, reply) -> stage.handle(call, reply, next);
    }
}
