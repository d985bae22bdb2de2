package io.mcpbridge.workers;

import org.jspecify.annotations.Nullable;

/**
 * A tool that runs in a worker process. Its class has a constructor without arguments.
 *
 * <p>Each worker makes one instance at the first call and keeps it, so its state ends with the worker; no two threads
 * run it at once. Its output goes to the worker's standard error, and its standard input is empty.
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
