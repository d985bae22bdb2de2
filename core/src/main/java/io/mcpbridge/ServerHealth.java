package io.mcpbridge;

import io.mcpbridge.spi.Reading;
import java.time.Duration;
import java.util.List;

/**
 * What a server's sign of life was, and what there is to see of it.
 *
 * @param server its configured name
 * @param status how it is
 * @param latency how long the answer or the failure took
 * @param error why it is not healthy, or the empty string
 * @param readings what its stages and its lists show, such as {@code breaker.state} and {@code catalog.left-out}
 */
public record ServerHealth(String server, Status status, Duration latency, String error, List<Reading> readings) {

    public ServerHealth {
        readings = List.copyOf(readings);
    }

    /** How a server is. */
    public enum Status {
        /** It answered. */
        HEALTHY,
        /**
         * It did not answer, and is tried again; or its calls are held off, since it fails at them; or it does not say what
         * it has.
         */
        DEGRADED,
        /** It did not answer and was given up. */
        UNAVAILABLE
    }

    /** Whether it answered, its calls get to it, and it says what it has. */
    public boolean isHealthy() {
        return status == Status.HEALTHY;
    }
}
