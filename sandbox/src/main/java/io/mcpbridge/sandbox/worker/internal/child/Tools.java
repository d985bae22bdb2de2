package io.mcpbridge.sandbox.worker.internal.child;

import io.mcpbridge.sandbox.worker.SandboxedTool;
import io.mcpbridge.sandbox.worker.internal.frame.Order;
import io.mcpbridge.serve.schema.PlainForm;
import java.lang.reflect.InvocationTargetException;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The tools of this worker, each made by its first call. For one thread. */
final class Tools {
    private final Map<String, SandboxedTool> made = new HashMap<>();

    /** Runs a call; its result is plain. */
    @Nullable
    Object run(Order order) throws Exception {
        var tool = made.get(order.type());
        if (tool == null) {
            tool = make(order.type());
            made.put(order.type(), tool);
        }
        return PlainForm.of(tool.run(new RunningCall(order)));
    }

    private static SandboxedTool make(String type) throws Exception {
        try {
            var constructor =
                    Class.forName(type).asSubclass(SandboxedTool.class).getDeclaredConstructor();
            constructor.setAccessible(true);
            return constructor.newInstance();
        } catch (InvocationTargetException thrown) {
            var cause = thrown.getCause();
            throw cause instanceof Exception failed ? failed : thrown;
        } catch (ClassNotFoundException absent) {
            throw new IllegalStateException("the class '%s' is not on the worker's class path".formatted(type), absent);
        }
    }
}
