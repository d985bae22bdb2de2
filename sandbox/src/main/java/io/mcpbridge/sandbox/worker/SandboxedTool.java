package io.mcpbridge.sandbox.worker;

import org.jspecify.annotations.Nullable;

/**
 * A tool that runs in a process of its own. Its class has a constructor without arguments.
 *
 * <p>Each worker makes one by its first call and keeps it, so what it remembers is gone with the worker; it is never run
 * by two threads at once. What it prints goes to the worker's standard error, and standard input is empty.
 */
@FunctionalInterface
public interface SandboxedTool {

    /**
     * Does what the tool is for.
     *
     * @return the result: records, maps, lists, strings, finite numbers, booleans or null
     * @throws Exception if there is none; the client is told its message
     */
    @Nullable
    Object run(SandboxedCall call) throws Exception;
}
