package io.mcpbridge.serve;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.mcpbridge.call.CancelReason;
import io.mcpbridge.call.Cancellation;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Lets one call of a tool run at a time, in the order in which they came. A call that has to wait holds no thread, and
 * leaves the queue when it is withdrawn or its deadline comes. Any thread.
 */
final class Turns {
    /** How many calls of one tool may wait. */
    static final int MOST_WAITING = 1_024;

    private final ReentrantLock lock = new ReentrantLock();

    @GuardedBy("lock")
    private final Queue<Waiting> queue = new ArrayDeque<>();

    @GuardedBy("lock")
    private boolean isTaken;

    /** Whoever wants a turn; hears exactly one of these, once. */
    interface Taker {

        /** It is its turn, until it {@linkplain #pass passes}. */
        void granted();

        /** It was withdrawn before its turn came. */
        void withdrawn(CancelReason reason);

        /** Too many wait already. */
        void crowdedOut();
    }

    /** Takes a turn, at once or when it comes. */
    void take(Cancellation cancellation, Taker taker) {
        var waiting = new Waiting(taker, cancellation);
        switch (enter(waiting)) {
            case FREE -> waiting.grant();
            case FULL -> waiting.crowdOut();
            case BUSY -> cancellation.reason().ifPresent(waiting::withdraw);
        }
    }

    /** Passes the turn on to the one that has waited for the longest time. */
    void pass() {
        Waiting next;
        lock.lock();
        try {
            next = queue.poll();
            isTaken = next != null;
        } finally {
            lock.unlock();
        }
        if (next != null) {
            next.grant();
        }
    }

    private enum Place {
        FREE,
        BUSY,
        FULL
    }

    private Place enter(Waiting waiting) {
        lock.lock();
        try {
            if (!isTaken) {
                isTaken = true;
                return Place.FREE;
            }
            if (queue.size() >= MOST_WAITING) {
                return Place.FULL;
            }
            queue.add(waiting);
            return Place.BUSY;
        } finally {
            lock.unlock();
        }
    }

    private boolean leave(Waiting waiting) {
        lock.lock();
        try {
            return queue.remove(waiting);
        } finally {
            lock.unlock();
        }
    }

    private final class Waiting {
        private final Taker taker;
        private final Cancellation.Registration link;

        private Waiting(Taker taker, Cancellation cancellation) {
            this.taker = taker;
            this.link = cancellation.onCancel(this::withdraw);
        }

        private void withdraw(CancelReason reason) {
            if (leave(this)) {
                taker.withdrawn(reason);
            }
        }

        private void grant() {
            link.remove();
            taker.granted();
        }

        private void crowdOut() {
            link.remove();
            taker.crowdedOut();
        }
    }
}
