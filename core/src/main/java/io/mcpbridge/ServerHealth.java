package io.mcpbridge;

import java.time.Duration;

/**
 * What a server's sign of life was.
 *
 * @param server its configured name
 * @param status how it is
 * @param latency how long the answer or the failure took
 * @param error why it is not healthy, or the empty string
 */
public record ServerHealth(String server, Status status, Duration latency, String error) {

    /** How a server is. */
    public enum Status {
        /** It answered. */
        HEALTHY,
        /** It did not answer, and is tried again; or its calls are held off, since it fails at them. */
        DEGRADED,
        /** It did not answer and was given up. */
        UNAVAILABLE
    }

    /** Whether it answered, and its calls get to it. */
    public boolean isHealthy() {
        return status == Status.HEALTHY;
    }
}
