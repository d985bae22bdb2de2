package io.mcpbridge.upstream.isolation;

import io.mcpbridge.call.Caller;
import io.mcpbridge.config.IsolationSettings;
import io.mcpbridge.failure.Failure;
import io.mcpbridge.spi.Environment;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * The processes of one server that have one call each. Any thread; nothing waits but {@link #close}.
 *
 * <p>Some of each kind are started ahead. A call takes one of them at once, else it waits for its turn; its process is
 * never used again. Where processes of a kind cannot be started, or end unasked, further starts are put off for longer
 * and longer, and calls hear at once that there is no hope.
 *
 * <p>What happens here is a step: {@link PoolRoom} says who is where after it, {@link PoolFilling} what is started then,
 * {@link PoolEnding} how a process ends.
 */
public final class ChildPool<C extends PooledChild> {
    /** How long starting another process leaves the machine to a call that has just begun in one that was ready. */
    private static final Duration BREATH = Duration.ofMillis(10);

    private final PoolOwner owner;
    private final Steps steps;
    private final Places places;
    private final PoolRoom<C> room;
    private final PoolFilling<C> filling;
    private final PoolEnding<C> ending;
    private final ShelfCare<C> care;
    private @Nullable Failure closed;

    /** Makes a pool in which nothing is started yet. */
    public ChildPool(IsolationSettings settings, Environment environment, PoolOwner owner) {
        this.owner = owner;
        this.steps = new Steps(environment);
        this.places = new Places(settings.max());
        this.ending = new PoolEnding<>(steps, places, new Endings(environment.workers()), this::refill);
        this.room = new PoolRoom<>(settings.warm(), ending::end);
        this.filling = new PoolFilling<>(settings, places, room, this::start);
        this.care = new ShelfCare<>(settings, environment, steps, room, this::refill);
    }

    private void start(Shelf<C> shelf) {
        steps.then(() -> owner.start(shelf.kind(), shelf.caller()));
    }

    /** Starts processes for calls of this kind that may come. */
    public void warm(ChildKind kind, Caller caller) {
        steps.step(() -> {
            if (closed == null) {
                used(kind, caller);
                filling.refill();
            }
        });
    }

    /** Seats a call as soon as there is a process for it. */
    public void take(Guest<C> guest) {
        steps.step(() -> {
            if (closed != null) {
                refuse(guest, closed);
                return;
            }
            var shelf = used(guest.kind(), guest.caller());
            var child = room.take(shelf);
            if (child != null) {
                offer(child, guest);
                steps.later(BREATH, this::refill);
                return;
            }
            if (shelf.isHopeless()) {
                refuse(guest, shelf.backoff().refusal(owner.server()));
            } else {
                room.waiting().add(guest, shelf);
            }
            filling.refill();
        });
    }

    private Shelf<C> used(ChildKind kind, Caller caller) {
        var shelf = room.shelf(kind);
        if (shelf == null) {
            shelf = new Shelf<>(kind, caller, care.backoff(owner.maxFailures()));
            room.add(shelf);
            care.added(shelf);
        }
        care.used(shelf);
        return shelf;
    }

    /** Seats a call in the process that was kept for this round, if it is there; whether it is. */
    public boolean resume(Round round, Guest<C> guest) {
        var isFound = new AtomicBoolean();
        steps.step(() -> room.resume(round).ifPresent(child -> {
            isFound.set(true);
            offer(child, guest);
        }));
        return isFound.get();
    }

    private void offer(C child, @Nullable Guest<C> guest) {
        if (guest != null) {
            steps.then(() -> sit(guest, child));
        }
    }

    /** A call that was withdrawn meanwhile leaves its process to the next one; one that throws does not. */
    private void sit(Guest<C> guest, C child) {
        try {
            if (!guest.sit(child)) {
                steps.step(() -> offer(child, room.returned(child)));
            }
        } catch (RuntimeException defect) {
            kill(child);
            throw defect;
        }
    }

    private void refuse(Guest<C> guest, Failure why) {
        steps.then(() -> guest.refuse(why));
    }

    /** A call waits no longer. */
    public void forget(Guest<C> guest) {
        steps.step(() -> room.waiting().remove(guest));
    }

    /** The call of this process was answered, so starts are worth it. */
    public void worked(C child) {
        steps.step(() -> Optional.ofNullable(room.shelf(child.kind()))
                .ifPresent(shelf -> shelf.backoff().succeeded()));
    }

    /** The call is over, and its process ends in good order. */
    public void release(C child) {
        steps.step(() -> Optional.ofNullable(room.leave(child)).ifPresent(shelf -> ending.end(child)));
    }

    /** The call has ended without an answer, so its process may be at it still and is killed. */
    public void kill(C child) {
        steps.step(() -> Optional.ofNullable(room.leave(child)).ifPresent(shelf -> ending.kill(child)));
    }

    /** A round of the call is over; its process is kept for the {@code next} one, unless it has ended meanwhile. */
    public void keep(C child, Round next, Duration span) {
        steps.step(() -> {
            if (room.leave(child) == null) {
                return;
            }
            if (child.failure().isPresent()) {
                ending.end(child);
                return;
            }
            room.keep(next, child);
            refill();
            steps.later(span, () -> room.lapse(next, child));
        });
    }

    /** A start has brought this process. */
    public void started(C child) {
        steps.step(() -> {
            var shelf = room.shelf(child.kind());
            if (shelf == null) {
                return;
            }
            var end = child.failure();
            if (end.isPresent()) {
                missed(shelf, end.get());
                places.gone();
                refill();
            } else if (closed != null) {
                shelf.starting(-1);
                ending.end(child);
            } else {
                offer(child, room.arrived(child, shelf));
                filling.refill();
            }
        });
    }

    /** A start has come to nothing; what there is of its process keeps its place until it is {@link #gone}. */
    public void failed(ChildKind kind, Failure why) {
        steps.step(() -> Optional.ofNullable(room.shelf(kind)).ifPresent(shelf -> missed(shelf, why)));
    }

    /** What was left of a start that came to nothing is gone. */
    public void gone() {
        ending.gone();
    }

    /** Where others of the kind are there or coming, only one call has nothing to hope for. */
    private void missed(Shelf<C> shelf, Failure why) {
        room.missed(shelf, why.message());
        places.ends();
        care.failed(shelf, why);
        var hasOthers = shelf.starting() > 0 || shelf.busy() > 0;
        var hopeless = Math.min(shelf.waiting() - shelf.starting(), hasOthers ? 1 : Integer.MAX_VALUE);
        for (int i = 0; i < hopeless; i++) {
            Optional.ofNullable(room.waiting().poll(shelf)).ifPresent(guest -> refuse(guest, why));
        }
        refill();
    }

    /**
     * A process has ended by itself; one that has a call is another matter, which the call hears of.
     *
     * @param wasSteady whether it had lived for a while
     */
    public void died(C child, Failure why, boolean wasSteady) {
        steps.step(() -> {
            var shelf = room.shelf(child.kind());
            if (shelf == null || !room.died(child, shelf, why.message())) {
                return;
            }
            places.died();
            if (!wasSteady) {
                care.failed(shelf, why);
            }
            refill();
        });
    }

    private void refill() {
        if (closed == null) {
            filling.refill();
        }
    }

    public PoolFigures figures() {
        return steps.read(() -> room.figures(places));
    }

    /**
     * Ends everything: calls that wait hear {@code why}, all processes are asked to end at once, those that are being
     * started included, and it is waited until they are gone, at the longest for the patience with one of them.
     */
    public void close(Failure why) {
        steps.step(() -> {
            closed = why;
            care.close();
            room.waiting().takeAll().forEach(guest -> refuse(guest, why));
        });
        ending.hurry();
        steps.step(room::clear);
        owner.giveUp();
        ending.await(owner::killStarts);
    }
}
