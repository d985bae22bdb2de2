package io.mcpbridge.upstream.lists;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.mcpbridge.call.Caller;
import io.mcpbridge.upstream.lists.UpstreamList.Listed;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Who waits for one list of a server, so that all who ask while a listing is under way get its outcome. Any thread may use
 * it; whoever is told to begin a listing takes them all at its end.
 */
final class Askers<T> {
    /** A server is not asked more often than this for what it has not listed. */
    private static final Duration SEEKING_PACE = Duration.ofSeconds(2);

    private final ReentrantLock lock = new ReentrantLock();

    @GuardedBy("lock")
    private List<Asking<T>> asking = new ArrayList<>();

    @GuardedBy("lock")
    private boolean isListing;

    @GuardedBy("lock")
    private boolean wasSought;

    @GuardedBy("lock")
    private long soughtAt;

    /** One who waits for the list. */
    record Asking<T>(Caller caller, Listed<T> listed) {
        boolean isBy(Caller other) {
            return caller.principal().equals(other.principal());
        }
    }

    /** What becomes of one who asks. */
    enum Place {
        /** It waits, and the listing is to be begun. */
        BEGINS,
        /** It waits for the listing that is under way. */
        JOINS,
        /** It does not wait, as the server was asked for the like a moment ago. */
        TOO_SOON
    }

    Place join(Asking<T> asker) {
        lock.lock();
        try {
            return add(asker);
        } finally {
            lock.unlock();
        }
    }

    /** The same for one who wants what the list does not have. */
    Place seek(Asking<T> asker, long now) {
        lock.lock();
        try {
            if (!isListing && wasSought && now - soughtAt < SEEKING_PACE.toNanos()) {
                return Place.TOO_SOON;
            }
            var place = add(asker);
            if (place == Place.BEGINS) {
                wasSought = true;
                soughtAt = now;
            }
            return place;
        } finally {
            lock.unlock();
        }
    }

    @GuardedBy("lock")
    private Place add(Asking<T> asker) {
        asking.add(asker);
        var begins = !isListing;
        isListing = true;
        return begins ? Place.BEGINS : Place.JOINS;
    }

    boolean isListing() {
        lock.lock();
        try {
            return isListing;
        } finally {
            lock.unlock();
        }
    }

    /** The listing is over; returns those who waited for it. */
    List<Asking<T>> takeAll() {
        lock.lock();
        try {
            var taken = asking;
            asking = new ArrayList<>();
            isListing = false;
            return taken;
        } finally {
            lock.unlock();
        }
    }
}
