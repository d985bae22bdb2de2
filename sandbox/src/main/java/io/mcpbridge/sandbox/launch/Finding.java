package io.mcpbridge.sandbox.launch;

import org.jspecify.annotations.Nullable;

/**
 * What trying a level has shown.
 *
 * @param means holds children at it; null if nothing here does
 * @param reason why nothing does, in words; empty if something does
 * @param wasTooSlow whether that only shows that the machine was busy
 */
record Finding(@Nullable Means means, String reason, boolean wasTooSlow) {

    static Finding of(Means means) {
        return new Finding(means, "", false);
    }

    static Finding none(String reason) {
        return new Finding(null, reason, false);
    }

    static Finding tooSlow(String reason) {
        return new Finding(null, reason, true);
    }

    boolean isThere() {
        return means != null;
    }
}
