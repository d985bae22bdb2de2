package io.mcpbridge.workers;

import java.time.Duration;

/**
 * What a call of a sandboxed tool may take.
 *
 * @param maxMemoryMb of its whole worker, in MiB: heap, classes, code, buffers and what the virtual machine itself
 *     needs; at least 96
 * @param maxExecution from when a worker has the call; after it the pool kills the worker
 */
public record ToolLimits(int maxMemoryMb, Duration maxExecution) {
    /** 256 MiB and 30 seconds. */
    public static final ToolLimits DEFAULTS = new ToolLimits(256, Duration.ofSeconds(30));

    /** Less leaves hardly any heap. */
    private static final int LEAST_MEMORY_MB = 96;

    /** Checks both limits. */
    public ToolLimits {
        if (maxMemoryMb < LEAST_MEMORY_MB) {
            throw new IllegalArgumentException(
                    "maxMemoryMb is %d but must be at least %d".formatted(maxMemoryMb, LEAST_MEMORY_MB));
        }
        if (maxExecution.isNegative() || maxExecution.isZero()) {
            throw new IllegalArgumentException(
                    "maxExecution is %s but must be longer than zero".formatted(maxExecution));
        }
    }

    public ToolLimits withMaxMemoryMb(int newMaxMemoryMb) {
        return new ToolLimits(newMaxMemoryMb, maxExecution);
    }

    public ToolLimits withMaxExecution(Duration newMaxExecution) {
        return new ToolLimits(maxMemoryMb, newMaxExecution);
    }
}
