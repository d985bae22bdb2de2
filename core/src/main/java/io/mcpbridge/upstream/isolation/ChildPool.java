package io.mcpbridge.upstream.isolation;

import io.mcpbridge.call.Caller;
import io.mcpbridge.config.IsolationSettings;
import io.mcpbridge.failure.Failure;
import io.mcpbridge.spi.Environment;
import io.mcpbridge.upstream.session.Backoff;
import io.mcpbridge.upstream.session.Starts;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * The processes of one server that have one call each. Any thread; nothing waits but {@link #close}.
 *
 * <p>Some of each kind are started ahead. A call takes one of them at once, else it waits for its turn; its process is
 * never used again. Where processes of a kind cannot be started, or end unasked, further starts are put off for longer
 * and longer, and calls hear at once that there is no hope.
 */
public final class ChildPool<C extends PooledChild> {
    /** How long closing waits for processes to end, each of which is killed in the end. */
    private static final Duration LONGEST_CLOSE = Duration.ofSeconds(15);

    /** What a pool needs of whoever has it. */
    public interface Owner {

        /** Begins to start a process on other threads, which ends in {@link #started} or {@link #failed}. */
        void start(ChildKind kind, Caller caller);

        /** Ends the starts that are under way; may wait. */
        void giveUp();

        /** The name of the server. */
        String server();

        /** How many starts may fail within a minute. */
        int maxFailures();
    }

    private final IsolationSettings settings;
    private final Environment environment;
    private final Owner owner;
    private final Endings endings;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition gone = lock.newCondition();

    /** Like all that follows, it is touched by {@link #step} alone. */
    private final PoolRoom<C> room;

    private Due due = new Due();
    private @Nullable Failure closed;

    /** Makes a pool in which nothing is started yet. */
    public ChildPool(IsolationSettings settings, Environment environment, Owner owner) {
        this.settings = settings;
        this.environment = environment;
        this.owner = owner;
        this.endings = new Endings(environment.workers());
        this.room = new PoolRoom<>(settings, new Moving());
    }

    /** Starts processes for calls of this kind that may come. */
    public void warm(ChildKind kind, Caller caller) {
        step(() -> {
            if (closed == null) {
                used(kind, caller);
                room.refill();
            }
        });
    }

    /** Seats a call as soon as there is a process for it. */
    public void take(Guest<C> guest) {
        step(() -> {
            if (closed != null) {
                refuse(guest, closed);
                return;
            }
            var shelf = used(guest.kind(), guest.caller());
            var child = room.take(shelf);
            if (child != null) {
                due.add(() -> sit(guest, child));
            } else if (shelf.isHopeless()) {
                refuse(guest, shelf.backoff().refusal(owner.server()));
            } else {
                room.await(guest, shelf);
            }
            room.refill();
        });
    }

    /** A call waits no longer. */
    public void forget(Guest<C> guest) {
        step(() -> room.forget(guest));
    }

    /** A start has brought this process. */
    public void started(C child) {
        step(() -> {
            var shelf = room.shelf(child.kind());
            if (shelf == null) {
                return;
            }
            if (closed != null) {
                shelf.starting(-1);
                room.end(child);
                return;
            }
            var end = child.failure();
            if (end.isPresent()) {
                missed(shelf, end.get());
                return;
            }
            offer(child, room.arrived(child, shelf));
            room.refill();
        });
    }

    /** A start has come to nothing. */
    public void failed(ChildKind kind, Failure why) {
        step(() -> {
            var shelf = room.shelf(kind);
            if (shelf != null) {
                missed(shelf, why);
            }
        });
    }

    /** Where others of the kind are there or coming, only one call has nothing to hope for. */
    private void missed(Shelf<C> shelf, Failure why) {
        room.missed(shelf, why.message());
        inVain(shelf, why);
        var hasOthers = shelf.starting() > 0 || shelf.busy() > 0;
        var hopeless = Math.min(shelf.waiting() - shelf.starting(), hasOthers ? 1 : Integer.MAX_VALUE);
        for (int i = 0; i < hopeless; i++) {
            Optional.ofNullable(room.next(shelf)).ifPresent(guest -> refuse(guest, why));
        }
        if (closed == null) {
            room.refill();
        }
    }

    /**
     * A process has ended by itself; one that has a call is another matter, which the call hears of.
     *
     * @param wasSteady whether it had lived for a while
     */
    public void ended(C child, Failure why, boolean wasSteady) {
        step(() -> {
            var shelf = room.shelf(child.kind());
            if (shelf == null || !room.died(child, shelf, why.message())) {
                return;
            }
            if (!wasSteady) {
                inVain(shelf, why);
            }
            room.refill();
        });
    }

    /** The call of this process was answered, so starts are worth it. */
    public void worked(C child) {
        step(() -> {
            var shelf = room.shelf(child.kind());
            if (shelf != null) {
                shelf.backoff().succeeded();
            }
        });
    }

    /** The call is over, and its process ends in good order. */
    public void release(C child) {
        step(() -> {
            if (room.leave(child) != null) {
                room.end(child);
            }
        });
    }

    /** The call took too long, and its process is killed. */
    public void kill(C child) {
        step(() -> {
            if (room.leave(child) != null) {
                room.kill(child);
            }
        });
    }

    /** A round of the call is over; its process is kept for the next one, which comes with {@code state}. */
    public void keep(C child, String state, Duration span) {
        step(() -> {
            if (room.leave(child) == null) {
                return;
            }
            room.keep(state, child);
            room.refill();
            after(span, () -> room.lapse(state, child));
        });
    }

    /** The process that was kept for this state and is the guest's again, if it is there; whether it is. */
    public boolean resume(String state, Guest<C> guest) {
        var isFound = new boolean[1];
        step(() -> {
            var child = closed == null ? room.resume(state, used(guest.kind(), guest.caller())) : null;
            if (child != null) {
                isFound[0] = true;
                due.add(() -> sit(guest, child));
            }
        });
        return isFound[0];
    }

    public PoolFigures figures() {
        lock.lock();
        try {
            return room.figures();
        } finally {
            lock.unlock();
        }
    }

    /** Ends everything: calls that wait hear {@code why}, processes end, and it is waited for that. */
    public void close(Failure why) {
        step(() -> {
            closed = why;
            room.clear().forEach(guest -> refuse(guest, why));
        });
        owner.giveUp();
        awaitEndings();
    }

    private void awaitEndings() {
        var left = LONGEST_CLOSE.toNanos();
        lock.lock();
        try {
            while (room.isEnding() && left > 0) {
                left = gone.awaitNanos(left);
            }
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        } finally {
            lock.unlock();
        }
    }

    private Shelf<C> used(ChildKind kind, Caller caller) {
        var shelf = room.shelf(kind);
        if (shelf == null) {
            shelf = new Shelf<>(kind, caller, backoff());
            room.add(shelf);
            lapseAfter(settings.idle(), shelf);
        }
        shelf.used(environment.timekeeper().nanoTime());
        return shelf;
    }

    private Backoff backoff() {
        var timekeeper = environment.timekeeper();
        return new Backoff(timekeeper, environment.random(), Starts.inVain(owner.maxFailures(), timekeeper));
    }

    private void lapseAfter(Duration span, Shelf<C> shelf) {
        after(span, () -> {
            var unused = environment.timekeeper().nanoTime() - shelf.lastUsed();
            var rest = settings.idle().minusNanos(unused);
            if (closed != null) {
                return;
            }
            if (shelf.isQuiet() && (rest.isZero() || rest.isNegative())) {
                room.drop(shelf);
            } else {
                lapseAfter(shelf.isQuiet() ? rest : settings.idle(), shelf);
            }
        });
    }

    /** A start was of no use; there is another one when it may be. */
    private void inVain(Shelf<C> shelf, Failure why) {
        shelf.backoff().begun();
        shelf.backoff().failed(why);
        if (closed == null && shelf.tryAgain()) {
            after(shelf.backoff().pause(), () -> {
                shelf.tried();
                refillOrTryAgain(shelf);
            });
        }
    }

    private void refillOrTryAgain(Shelf<C> shelf) {
        if (closed != null) {
            return;
        }
        room.refill();
        if (shelf.backoff().holdsOff() && shelf.tryAgain()) {
            after(shelf.backoff().pause(), () -> {
                shelf.tried();
                refillOrTryAgain(shelf);
            });
        }
    }

    private void offer(C child, @Nullable Guest<C> guest) {
        if (guest != null) {
            due.add(() -> sit(guest, child));
        }
    }

    /** Outside of steps; a call that was withdrawn meanwhile leaves its process to the next one. */
    private void sit(Guest<C> guest, C child) {
        if (!guest.sit(child)) {
            step(() -> offer(child, room.returned(child)));
        }
    }

    private void refuse(Guest<C> guest, Failure why) {
        due.add(() -> guest.refuse(why));
    }

    private void after(Duration delay, Runnable change) {
        due.add(() -> {
            var unused = environment.timekeeper().schedule(delay, () -> step(change));
        });
    }

    /** Changes something, seen whole or not at all; what follows is done without the lock. */
    private void step(Runnable change) {
        var following = new Due();
        lock.lock();
        try {
            due = following;
            change.run();
        } finally {
            lock.unlock();
        }
        following.run();
    }

    private void gone() {
        step(() -> {
            room.gone();
            if (closed == null) {
                room.refill();
            }
            gone.signalAll();
        });
    }

    /** What the room begins, which is done after the step. */
    private final class Moving implements PoolRoom.Moves<C> {

        @Override
        public void start(Shelf<C> shelf) {
            due.add(() -> owner.start(shelf.kind(), shelf.caller()));
        }

        @Override
        public void end(C child) {
            if (closed == null) {
                due.add(() -> endings.patiently(() -> ending(child::end)));
            } else {
                due.add(() -> endings.atOnce(() -> ending(child::end)));
            }
        }

        @Override
        public void kill(C child) {
            due.add(() -> endings.atOnce(() -> ending(child::kill)));
        }

        private void ending(Runnable ending) {
            try {
                ending.run();
            } finally {
                gone();
            }
        }
    }
}
