package io.mcpbridge.sandbox.worker.internal.child;

import io.mcpbridge.sandbox.worker.SandboxedCall;
import io.mcpbridge.sandbox.worker.SandboxedTool;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Returns its arguments: what a new worker runs a few times, so that the first real call finds everything loaded. */
public final class Nothing implements SandboxedTool {

    @Override
    public Map<String, @Nullable Object> run(SandboxedCall call) {
        return call.arguments();
    }
}
