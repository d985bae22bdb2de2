package io.mcpbridge.sandbox.launch;

import org.jspecify.annotations.Nullable;

/**
 * What trying a level has shown.
 *
 * @param means holds children at it; null if nothing here does
 * @param reason why nothing does, in words; empty if something does
 */
record Finding(@Nullable Means means, String reason) {

    static Finding of(Means means) {
        return new Finding(means, "");
    }

    static Finding none(String reason) {
        return new Finding(null, reason);
    }

    boolean isThere() {
        return means != null;
    }
}
