package io.mcpbridge.retry.limit;

import io.mcpbridge.call.Principal;
import java.util.HashMap;
import java.util.Map;

/** The rate of each user, where each has one. One thread at a time. */
final class UserRates {
    /** How many users are remembered before those are forgotten who have not called lately. */
    private static final int MOST = 1_024;

    private final RateLimitSettings.Rate rate;
    private final Map<Principal, CellRate> each = new HashMap<>();

    UserRates(RateLimitSettings.Rate rate) {
        this.rate = rate;
    }

    /** How long the user's next call has to wait for the user's own rate. */
    long pause(Principal user, long now) {
        var own = each.get(user);
        return own == null ? 0 : own.pause(now);
    }

    /** A call of the user begins. */
    void take(Principal user, long now) {
        if (!rate.isLimited()) {
            return;
        }
        if (each.size() >= MOST) {
            each.values().removeIf(known -> known.isIdle(now));
        }
        each.computeIfAbsent(user, absent -> new CellRate(rate, now)).take(now);
    }
}
