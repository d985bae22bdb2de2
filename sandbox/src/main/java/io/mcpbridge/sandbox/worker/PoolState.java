package io.mcpbridge.sandbox.worker;

/**
 * What a {@link WorkerPool} has at one moment.
 *
 * @param idle workers that wait for calls
 * @param busy workers that run one, or end after their last one
 * @param starting workers that are not there yet
 * @param waiting calls that wait for a worker
 * @param trouble why the last start failed; empty if it did not
 */
public record PoolState(int idle, int busy, int starting, int waiting, String trouble) {

    /** Both together. */
    PoolState plus(PoolState other) {
        return new PoolState(
                idle + other.idle,
                busy + other.busy,
                starting + other.starting,
                waiting + other.waiting,
                trouble.isEmpty() ? other.trouble : trouble);
    }
}
