package io.mcpbridge.upstream.health;

import java.time.Duration;
import java.util.Optional;

/**
 * How a server has been living. Immutable.
 *
 * @param latency how long its answers took lately
 * @param ping how long its last sign of life took that was asked for; empty if none was needed yet
 * @param restarts how often it was connected again after it was lost
 */
public record Vitals(Latency latency, Optional<Duration> ping, long restarts) {
    public static final Vitals NONE = new Vitals(Latency.NONE, Optional.empty(), 0);
}
