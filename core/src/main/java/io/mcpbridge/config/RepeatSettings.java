package io.mcpbridge.config;

import io.mcpbridge.spi.Refusals;
import io.mcpbridge.spi.Settings;
import java.time.Duration;

/**
 * The {@code repeats} section: how much is remembered of calls with a key, so that each runs once, and how long.
 *
 * @param maxCalls calls that have ended, in all; at least 1
 * @param maxCallsPerPrincipal the same for each user; at least 1
 * @param maxBytes what their outcomes take, in all; at least 1
 * @param maxBytesPerPrincipal the same for each user; at least 1
 * @param expiry how long after its end a call is known; longer than zero
 */
public record RepeatSettings(
        int maxCalls, int maxCallsPerPrincipal, int maxBytes, int maxBytesPerPrincipal, Duration expiry) {

    private static final int PART_OF_HEAP = 16;

    /** Ten minutes; a sixteenth of the heap at the most. */
    public static final RepeatSettings DEFAULTS =
            new RepeatSettings(65_536, 16_384, bytes(64 << 20), bytes(16 << 20), Duration.ofMinutes(10));

    public RepeatSettings {
        new Refusals()
                .unless(maxCalls >= 1, "max-calls", maxCalls, "at least 1")
                .unless(maxCallsPerPrincipal >= 1, "max-calls-per-principal", maxCallsPerPrincipal, "at least 1")
                .unless(maxBytes >= 1, "max-bytes", maxBytes, "at least 1B")
                .unless(maxBytesPerPrincipal >= 1, "max-bytes-per-principal", maxBytesPerPrincipal, "at least 1B")
                .unless(!expiry.isNegative() && !expiry.isZero(), "expiry", expiry, "longer than zero")
                .throwIfAny();
    }

    /** Reads the {@code repeats} section; a key that is absent keeps its default. */
    public static RepeatSettings from(Settings settings) {
        var maxCalls = settings.integer("max-calls", DEFAULTS.maxCalls);
        var callsPerPrincipal = settings.integer("max-calls-per-principal", DEFAULTS.maxCallsPerPrincipal);
        var maxBytes = settings.bytes("max-bytes", DEFAULTS.maxBytes);
        var bytesPerPrincipal = settings.bytes("max-bytes-per-principal", DEFAULTS.maxBytesPerPrincipal);
        var expiry = settings.duration("expiry", DEFAULTS.expiry);
        return settings.finish(
                () -> new RepeatSettings(maxCalls, callsPerPrincipal, maxBytes, bytesPerPrincipal, expiry));
    }

    private static int bytes(int most) {
        return (int) Math.min(most, Runtime.getRuntime().maxMemory() / PART_OF_HEAP);
    }
}
