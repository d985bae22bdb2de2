package io.mcpbridge.downstream.repeats;

import io.mcpbridge.config.RepeatSettings;
import java.time.Duration;

/**
 * How long and how much is kept of calls that have a key.
 *
 * @param kept how long after its end a call is known
 * @param linger how long a call goes on that nobody waits for any more, in case somebody comes back to it
 * @param running calls with a key that one principal may have under way
 * @param largest bytes of an outcome; of a larger one is kept only that it was
 * @param each what one principal may have kept
 * @param all what is kept in all
 */
public record RepeatLimits(Duration kept, Duration linger, int running, int largest, Share each, Share all) {

    /**
     * A part of the memory. Where there are more calls, those that ended first are forgotten; where there are more bytes,
     * only their outcomes are.
     */
    public record Share(int calls, long bytes) {}

    public static final RepeatLimits DEFAULTS = of(RepeatSettings.DEFAULTS);

    /** As the operator wants it. */
    public static RepeatLimits of(RepeatSettings settings) {
        return new RepeatLimits(
                settings.expiry(),
                Duration.ofSeconds(30),
                1_024,
                1 << 20,
                new Share(settings.maxCallsPerPrincipal(), settings.maxBytesPerPrincipal()),
                new Share(settings.maxCalls(), settings.maxBytes()));
    }
}
