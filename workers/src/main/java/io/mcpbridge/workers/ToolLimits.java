package io.mcpbridge.workers;

import java.time.Duration;

/**
 * The limits of a call of a sandboxed tool.
 *
 * @param maxMemoryMb the memory of its whole worker, in MiB: heap, classes, code, buffers and the virtual machine
 *     itself; at least 96
 * @param maxExecution the time from the start of the call in a worker, after which the pool kills the worker
 */
public record ToolLimits(int maxMemoryMb, Duration maxExecution) {
    /** 256 MiB and 30 seconds. */
    public static final ToolLimits DEFAULTS = new ToolLimits(256, Duration.ofSeconds(30));

    /** The least memory that leaves a usable heap. */
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
