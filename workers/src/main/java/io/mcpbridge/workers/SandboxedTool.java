package io.mcpbridge.workers;

import org.jspecify.annotations.Nullable;

/**
 * A tool that runs in a process of its own. Its class has a constructor without arguments.
 *
 * <p>Each worker makes one instance for the first call and keeps it, so its state is gone with the worker; no two
 * threads run it at once. What it prints goes to the worker's standard error, and standard input is empty.
 */
@FunctionalInterface
public interface SandboxedTool {

    /**
     * Runs one call.
     *
     * @return the result: records, maps, lists, strings, finite numbers, booleans or null
     * @throws Exception if the call fails; the client gets its message
     */
    @Nullable
    Object run(SandboxedCall call) throws Exception;
}
