package io.mcpbridge.downstream.calls;

import io.mcpbridge.call.Principal;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

/** Counts something per principal up to a limit. Any thread. */
public final class Budgets {
    private final int limit;
    private final Map<Principal, AtomicInteger> used = new ConcurrentHashMap<>();

    /** Allows each principal this many. */
    public Budgets(int limit) {
        this.limit = limit;
    }

    /** How many each principal may have. */
    public int limit() {
        return limit;
    }

    /** Whether one could be taken at this moment. */
    public boolean hasRoomFor(Principal principal) {
        var count = used.get(principal);
        return count == null || count.get() < limit;
    }

    /** Takes one; false if the limit is reached. */
    public boolean take(Principal principal) {
        var count = used.computeIfAbsent(principal, absent -> new AtomicInteger());
        if (count.incrementAndGet() <= limit) {
            return true;
        }
        count.decrementAndGet();
        return false;
    }

    /** Gives back what {@link #take} took. */
    public void giveBack(Principal principal) {
        var count = used.get(principal);
        if (count != null) {
            count.decrementAndGet();
        }
    }
}
