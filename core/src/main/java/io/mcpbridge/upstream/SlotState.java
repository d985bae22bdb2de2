package io.mcpbridge.upstream;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.mcpbridge.failure.Failure;
import io.mcpbridge.upstream.WaitingCalls.Waiting;
import io.mcpbridge.upstream.session.Backoff;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * How far the session of one {@link SessionSlot} is: not there, being opened, ready, or over for good; and which calls
 * wait for it. Any thread.
 *
 * <p>Each method is one step that is seen whole or not at all, and says what follows from it; that is done without the
 * lock.
 */
final class SlotState {
    private final UpstreamParts parts;
    private final Backoff backoff;
    private final Supplier<SessionOpening> openings;
    private final SlotUse use;
    private final ReentrantLock lock = new ReentrantLock();

    @GuardedBy("lock")
    private final WaitingCalls waiting = new WaitingCalls();

    @GuardedBy("lock")
    private @Nullable SessionOpening opening;

    @GuardedBy("lock")
    private @Nullable Failure ended;

    @GuardedBy("lock")
    private boolean wasReady;

    @GuardedBy("lock")
    private boolean wasMissed;

    private volatile @Nullable UpstreamSession ready;

    /**
     * Makes it where nothing is there.
     *
     * @param openings makes one that has not begun yet
     * @param use who is about to use the place, and keeps it from making room
     */
    SlotState(UpstreamParts parts, Backoff backoff, Supplier<SessionOpening> openings, SlotUse use) {
        this.use = use;
        this.parts = parts;
        this.backoff = backoff;
        this.openings = openings;
    }

    /** The session that takes calls, as long as nobody has seen it end. */
    @Nullable
    UpstreamSession ready() {
        return ready;
    }

    /** The session that takes calls, if it is open. */
    @Nullable
    UpstreamSession open() {
        var session = ready;
        return session == null || session.isClosed() ? null : session;
    }

    /** Keeps a call until the session is ready, unless it is or must not be opened now. */
    Parking park(Waiting call) {
        lock.lock();
        try {
            // Asked under the lock, which whoever opens a session holds when it becomes ready.
            var session = open();
            if (session != null) {
                return new Parking(session, null, null);
            }
            var refusal = refusal();
            if (refusal != null) {
                return new Parking(null, refusal, null);
            }
            waiting.add(call);
            return new Parking(null, null, next());
        } finally {
            lock.unlock();
        }
    }

    @GuardedBy("lock")
    private @Nullable Failure refusal() {
        if (ended != null) {
            return ended;
        }
        return opening == null && backoff.holdsOff() ? backoff.refusal(parts.name()) : null;
    }

    /** A new opening, or null if one is under way. */
    @GuardedBy("lock")
    private @Nullable SessionOpening next() {
        if (opening != null) {
            return null;
        }
        backoff.begun();
        opening = openings.get();
        return opening;
    }

    /** A call waits no longer. */
    void forget(Waiting call) {
        lock.lock();
        try {
            waiting.remove(call);
        } finally {
            lock.unlock();
        }
    }

    /** The opening that is to be begun though no call wants it; empty where there is nothing to be opened. */
    Optional<SessionOpening> reopen() {
        lock.lock();
        try {
            return ended == null && open() == null ? Optional.ofNullable(next()) : Optional.empty();
        } finally {
            lock.unlock();
        }
    }

    /** The opening has failed; returns the calls that waited for it. */
    List<Waiting> failed(Failure why) {
        lock.lock();
        try {
            opening = null;
            wasMissed = true;
            endUnlessReconnecting(why);
            return waiting.takeAll();
        } finally {
            lock.unlock();
        }
    }

    /**
     * The session is ready.
     *
     * @param parked the calls that waited for it
     * @param isAgain whether there was one before
     * @param isLate whether it is the first one, and could not be had before
     */
    record Opened(List<Waiting> parked, boolean isAgain, boolean isLate) {}

    /** The opening has brought a session; empty if it is of no use any more. */
    Optional<Opened> opened(UpstreamSession session) {
        lock.lock();
        try {
            if (ended != null || session.isClosed()) {
                return Optional.empty();
            }
            var opened = new Opened(waiting.takeAll(), wasReady, wasMissed && !wasReady);
            opening = null;
            ready = session;
            wasMissed = false;
            wasReady = true;
            return Optional.of(opened);
        } finally {
            lock.unlock();
        }
    }

    /** The session takes no more calls; false if it took none already. */
    boolean leave(UpstreamSession session, Failure why) {
        lock.lock();
        try {
            if (ready != session) {
                return false;
            }
            ready = null;
            endUnlessReconnecting(why);
            return true;
        } finally {
            lock.unlock();
        }
    }

    @GuardedBy("lock")
    private void endUnlessReconnecting(Failure why) {
        if (!parts.reconnects() && ended == null) {
            ended = parts.lost(why);
        }
    }

    boolean isOver() {
        lock.lock();
        try {
            return ended != null;
        } finally {
            lock.unlock();
        }
    }

    /**
     * What is to be ended.
     *
     * @param parked the calls that waited for a session
     */
    record Rest(
            List<Waiting> parked,
            @Nullable UpstreamSession session,
            @Nullable SessionOpening begun) {}

    /**
     * It is over for good, unless something is under way or about to be, or a connection had a call within {@code idle}:
     * empty then.
     */
    Optional<Rest> dismiss(Duration idle) {
        lock.lock();
        try {
            var session = ready;
            var isIdle = opening == null
                    && waiting.size() == 0
                    && use.giveAwayUnless(() -> session != null && session.isUsedWithin(idle));
            return isIdle ? Optional.of(end(parts.dismissed())) : Optional.empty();
        } finally {
            lock.unlock();
        }
    }

    /** It is over for good. */
    Rest close(Failure why) {
        lock.lock();
        try {
            return end(why);
        } finally {
            lock.unlock();
        }
    }

    @GuardedBy("lock")
    private Rest end(Failure why) {
        var rest = new Rest(waiting.takeAll(), ready, opening);
        ended = why;
        ready = null;
        return rest;
    }
}
