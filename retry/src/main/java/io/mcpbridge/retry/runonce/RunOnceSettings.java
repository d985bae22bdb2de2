package io.mcpbridge.retry.runonce;

import io.mcpbridge.failure.ConfigurationException;
import io.mcpbridge.spi.MistakeCollector;
import io.mcpbridge.spi.Settings;
import java.time.Duration;

/**
 * The limits of the table of calls with an idempotency key. The configuration file sets the first three.
 *
 * @param expiry how long after its end a call is known; longer than zero
 * @param perPrincipal what is kept for one principal
 * @param all what is kept for all principals
 * @param running calls with a key that one principal may have under way
 * @param largest bytes of an outcome that is kept; of a larger one only the fact that the call has run
 * @param gracePeriod how long a call continues without a client, in case one sends it again
 */
public record RunOnceSettings(
        Duration expiry, Share perPrincipal, Share all, int running, int largest, Duration gracePeriod) {

    private static final int PART_OF_HEAP = 16;

    /** Ten minutes; a sixteenth of the heap at the most. */
    public static final RunOnceSettings DEFAULTS = of(
            Duration.ofMinutes(10), new Share(16_384, partOfHeap(16 << 20)), new Share(65_536, partOfHeap(64 << 20)));

    /**
     * A part of the memory. Where there are more calls, those that ended first are forgotten; where there are more
     * bytes, only their outcomes are.
     *
     * @param calls at least 1
     * @param bytes at least 1
     */
    public record Share(int calls, int bytes) {}

    public RunOnceSettings {
        new MistakeCollector()
                .unless(all.calls >= 1, "max-calls", all.calls, "at least 1")
                .unless(perPrincipal.calls >= 1, "max-calls-per-principal", perPrincipal.calls, "at least 1")
                .unless(all.bytes >= 1, "max-bytes", all.bytes, "at least 1B")
                .unless(perPrincipal.bytes >= 1, "max-bytes-per-principal", perPrincipal.bytes, "at least 1B")
                .unless(!expiry.isNegative() && !expiry.isZero(), "expiry", expiry, "longer than zero")
                .throwIfAny();
    }

    /**
     * Reads a {@code repeats} section; a key that is absent keeps its default.
     *
     * @throws ConfigurationException with every mistake in the section
     */
    public static RunOnceSettings from(Settings settings) {
        var calls = settings.integer("max-calls", DEFAULTS.all.calls);
        var callsEach = settings.integer("max-calls-per-principal", DEFAULTS.perPrincipal.calls);
        var bytes = settings.bytes("max-bytes", DEFAULTS.all.bytes);
        var bytesEach = settings.bytes("max-bytes-per-principal", DEFAULTS.perPrincipal.bytes);
        var expiry = settings.duration("expiry", DEFAULTS.expiry);
        return settings.finish(() -> of(expiry, new Share(callsEach, bytesEach), new Share(calls, bytes)));
    }

    private static RunOnceSettings of(Duration expiry, Share perPrincipal, Share all) {
        return new RunOnceSettings(expiry, perPrincipal, all, 1_024, 1 << 20, Duration.ofSeconds(30));
    }

    private static int partOfHeap(int most) {
        return (int) Math.min(most, Runtime.getRuntime().maxMemory() / PART_OF_HEAP);
    }
}
