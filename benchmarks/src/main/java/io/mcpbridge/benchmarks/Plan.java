package io.mcpbridge.benchmarks;

import java.time.Duration;

/** How long this run measures. */
final class Plan {
    /** Whether all is measured briefly. */
    static final boolean IS_QUICK = Boolean.getBoolean("benchmarks.quick");

    /** Whether other gateways are measured, too. */
    static final boolean HAS_PEERS = !Boolean.getBoolean("benchmarks.alone");

    private Plan() {}

    static Duration seconds(double whole, double quick) {
        return Duration.ofMillis((long) (1_000 * (IS_QUICK ? quick : whole)));
    }

    static int times(int whole, int quick) {
        return IS_QUICK ? quick : whole;
    }
}
