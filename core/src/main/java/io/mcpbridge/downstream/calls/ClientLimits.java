package io.mcpbridge.downstream.calls;

import java.time.Duration;

/**
 * How much clients may do at once.
 *
 * @param callsInFlight requests per principal that have no answer yet
 * @param connections connections and HTTP sessions per principal
 * @param subscriptions streams of {@code subscriptions/listen} per principal
 * @param sessionIdle how long an HTTP session may be silent before it is ended
 * @param keepAlive how long a client that can be reached may be silent before it is pinged, and as long again before it
 *     counts as lost; zero to ping nobody
 */
public record ClientLimits(
        int callsInFlight, int connections, int subscriptions, Duration sessionIdle, Duration keepAlive) {

    /** As the design sets them: 1,024 calls, 8,192 connections and 256 streams; a ping after 30 s. */
    public static final ClientLimits DEFAULTS =
            new ClientLimits(1_024, 8_192, 256, Duration.ofMinutes(30), Duration.ofSeconds(30));
}
