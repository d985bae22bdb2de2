package io.mcpbridge.workers;

/**
 * The state of a {@link WorkerPool} at one moment.
 *
 * @param idle workers that wait for calls
 * @param busy workers that run a call, or end after their last one
 * @param starting workers that start
 * @param waiting calls that wait for a worker
 * @param lastError the error of the last start; empty if it succeeded
 */
public record PoolState(int idle, int busy, int starting, int waiting, String lastError) {

    /** Adds two states. */
    PoolState plus(PoolState other) {
        return new PoolState(
                idle + other.idle,
                busy + other.busy,
                starting + other.starting,
                waiting + other.waiting,
                lastError.isEmpty() ? other.lastError : lastError);
    }
}
