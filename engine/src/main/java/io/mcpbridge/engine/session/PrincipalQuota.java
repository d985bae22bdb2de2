package io.mcpbridge.engine.session;

import io.mcpbridge.call.Principal;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

/** A limit per principal on permits that are acquired and released. Any thread. */
final class PrincipalQuota {
    private final int limit;
    private final Map<Principal, AtomicInteger> used = new ConcurrentHashMap<>();

    PrincipalQuota(int limit) {
        this.limit = limit;
    }

    int limit() {
        return limit;
    }

    /** Whether {@link #tryAcquire} would currently succeed. */
    boolean isAvailable(Principal principal) {
        var count = used.get(principal);
        return count == null || count.get() < limit;
    }

    /** Acquires one; false if the limit is reached. */
    boolean tryAcquire(Principal principal) {
        var count = used.computeIfAbsent(principal, absent -> new AtomicInteger());
        if (count.incrementAndGet() <= limit) {
            return true;
        }
        count.decrementAndGet();
        return false;
    }

    /** Releases what {@link #tryAcquire} acquired. */
    void release(Principal principal) {
        var count = used.get(principal);
        if (count != null) {
            count.decrementAndGet();
        }
    }
}
