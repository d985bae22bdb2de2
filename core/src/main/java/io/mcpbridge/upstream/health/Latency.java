package io.mcpbridge.upstream.health;

import java.time.Duration;

/**
 * How long a server took for its answers lately. Immutable.
 *
 * @param calls how many answers that is made of; 0 if there was none, and then all figures are zero
 * @param half half of them took no longer
 * @param most 95 of 100 took no longer
 * @param nearlyAll 99 of 100 took no longer
 */
public record Latency(long calls, Duration half, Duration most, Duration nearlyAll) {
    public static final Latency NONE = new Latency(0, Duration.ZERO, Duration.ZERO, Duration.ZERO);
}
