package io.mcpbridge.config;

import io.mcpbridge.spi.Refusals;
import io.mcpbridge.spi.Settings;
import java.time.Duration;

/**
 * The {@code parking} section: how many calls may be parked while their clients look for answers, and how long.
 *
 * @param maxCalls in all; at least 1
 * @param maxCallsPerPrincipal at least 1
 * @param expiry how long one may be parked at a time; longer than zero
 */
public record ParkingSettings(int maxCalls, int maxCallsPerPrincipal, Duration expiry) {

    public static final ParkingSettings DEFAULTS = new ParkingSettings(1_024, 64, Duration.ofMinutes(10));

    public ParkingSettings {
        new Refusals()
                .unless(maxCalls >= 1, "max-calls", maxCalls, "at least 1")
                .unless(maxCallsPerPrincipal >= 1, "max-calls-per-principal", maxCallsPerPrincipal, "at least 1")
                .unless(!expiry.isNegative() && !expiry.isZero(), "expiry", expiry, "longer than zero")
                .throwIfAny();
    }

    /** Reads the {@code parking} section; a key that is absent keeps its default. */
    public static ParkingSettings from(Settings settings) {
        var maxCalls = settings.integer("max-calls", DEFAULTS.maxCalls);
        var perPrincipal = settings.integer("max-calls-per-principal", DEFAULTS.maxCallsPerPrincipal);
        var expiry = settings.duration("expiry", DEFAULTS.expiry);
        return settings.finish(() -> new ParkingSettings(maxCalls, perPrincipal, expiry));
    }
}
