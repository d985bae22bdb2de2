package io.mcpbridge.downstream;

import java.time.Duration;

/**
 * How much clients may do at once.
 *
 * @param callsInFlight requests per principal that have no answer yet
 * @param connections connections and HTTP sessions per principal
 * @param sessionIdle how long an HTTP session may be silent before it is ended
 */
public record ClientLimits(int callsInFlight, int connections, Duration sessionIdle) {

    /** As the design sets them: 1,024 calls and 8,192 connections. */
    public static final ClientLimits DEFAULTS = new ClientLimits(1_024, 8_192, Duration.ofMinutes(30));
}
