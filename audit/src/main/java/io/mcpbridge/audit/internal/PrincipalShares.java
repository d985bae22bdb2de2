package io.mcpbridge.audit.internal;

import io.mcpbridge.call.Principal;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Limits what each principal may have in a queue, so that one cannot fill it. Notes belong to no principal and are not
 * limited. Any thread may use it.
 */
final class PrincipalShares {
    private final int maxEvents;
    private final long maxBytes;

    /** Only the principals with events in the queue. */
    private final Map<Principal, Share> shares = new ConcurrentHashMap<>();

    PrincipalShares(int maxEvents, long maxBytes) {
        this.maxEvents = maxEvents;
        this.maxBytes = maxBytes;
    }

    /** Adds an event to the share of its principal; returns false if the share is exhausted. */
    boolean acquire(PendingRecord event) {
        var principal = event.principal();
        if (principal == null) {
            return true;
        }
        var share = shares.merge(principal, new Share(1, event.bytes()), Share::plus);
        if (share != null && (share.events > maxEvents || share.bytes > maxBytes)) {
            release(event);
            return false;
        }
        return true;
    }

    /** Removes an event that left the queue, or did not enter it, from the share of its principal. */
    void release(PendingRecord event) {
        var principal = event.principal();
        if (principal != null) {
            var unused = shares.merge(principal, new Share(-1, -event.bytes()), Share::plus);
        }
    }

    private record Share(int events, long bytes) {

        /** The sum; null, which removes the share, if no event is left. */
        @Nullable
        Share plus(Share more) {
            return events + more.events == 0 ? null : new Share(events + more.events, bytes + more.bytes);
        }
    }
}
