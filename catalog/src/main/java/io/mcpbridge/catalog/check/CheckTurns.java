package io.mcpbridge.catalog.check;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The checks of one server: one at a time, in the order they came, and after each one the other servers are next. So a
 * server with costly schemas delays its own calls alone. Any thread.
 */
final class CheckTurns {
    /** So many checks may wait; whoever comes later is refused. */
    static final int QUEUE = 10_000;

    private final Executor threads;
    private final ReentrantLock lock = new ReentrantLock();

    @GuardedBy("lock")
    private final Set<WaitingCheck> waiting = new LinkedHashSet<>();

    /** Whether a thread has the turn of this server, or has been asked to take it. */
    @GuardedBy("lock")
    private boolean isTaken;

    private enum Place {
        FIRST,
        BEHIND,
        NONE
    }

    /** @param threads which all servers share */
    CheckTurns(Executor threads) {
        this.threads = threads;
    }

    /** Has it run when it is its turn, or refuses it. */
    void enter(WaitingCheck check) {
        switch (place(check)) {
            case FIRST -> start();
            case BEHIND -> {}
            case NONE -> check.refuse("%,d checks of its server wait already; try again later".formatted(QUEUE));
        }
    }

    /** It need not be run any more. */
    void leave(WaitingCheck check) {
        lock.lock();
        try {
            waiting.remove(check);
        } finally {
            lock.unlock();
        }
    }

    private Place place(WaitingCheck check) {
        lock.lock();
        try {
            if (waiting.size() >= QUEUE) {
                return Place.NONE;
            }
            waiting.add(check);
            if (isTaken) {
                return Place.BEHIND;
            }
            isTaken = true;
            return Place.FIRST;
        } finally {
            lock.unlock();
        }
    }

    private void start() {
        try {
            threads.execute(this::takeTurn);
        } catch (RejectedExecutionException | OutOfMemoryError noThread) {
            giveUp().forEach(check -> check.refuse("there is no thread for it; try again later"));
        }
    }

    private void takeTurn() {
        do {
            next().ifPresent(WaitingCheck::run);
        } while (!isHandedOn());
    }

    /** Whether this thread is done, since another turn is to come or nothing is left; where none can, it goes on itself. */
    private boolean isHandedOn() {
        if (isOver()) {
            return true;
        }
        try {
            threads.execute(this::takeTurn);
            return true;
        } catch (RejectedExecutionException | OutOfMemoryError noThread) {
            return false;
        }
    }

    private boolean isOver() {
        lock.lock();
        try {
            isTaken = !waiting.isEmpty();
            return !isTaken;
        } finally {
            lock.unlock();
        }
    }

    private Optional<WaitingCheck> next() {
        lock.lock();
        try {
            var first = waiting.stream().findFirst();
            first.ifPresent(waiting::remove);
            return first;
        } finally {
            lock.unlock();
        }
    }

    private List<WaitingCheck> giveUp() {
        lock.lock();
        try {
            var all = List.copyOf(waiting);
            waiting.clear();
            isTaken = false;
            return all;
        } finally {
            lock.unlock();
        }
    }
}
