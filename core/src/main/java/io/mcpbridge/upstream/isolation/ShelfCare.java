package io.mcpbridge.upstream.isolation;

import io.mcpbridge.config.IsolationSettings;
import io.mcpbridge.failure.Failure;
import io.mcpbridge.spi.Environment;
import io.mcpbridge.upstream.session.Backoff;
import io.mcpbridge.upstream.session.Starts;

/**
 * What becomes of the processes of one kind in time: those that nobody uses lapse, and starts that were of no use are
 * tried again, later and later. Within steps of the pool.
 */
final class ShelfCare<C extends PooledChild> {
    private final IsolationSettings settings;
    private final Environment environment;
    private final Steps steps;
    private final PoolRoom<C> room;
    private final Runnable refill;
    private boolean isClosed;

    /** @param refill starts what is missing */
    ShelfCare(IsolationSettings settings, Environment environment, Steps steps, PoolRoom<C> room, Runnable refill) {
        this.settings = settings;
        this.environment = environment;
        this.steps = steps;
        this.room = room;
        this.refill = refill;
    }

    /** Holds starts off after some that were of no use, and for the rest of a minute that had so many of them. */
    Backoff backoff(int maxFailures) {
        var timekeeper = environment.timekeeper();
        return new Backoff(timekeeper, environment.random(), Starts.inVain(maxFailures, timekeeper));
    }

    void added(Shelf<C> shelf) {
        steps.later(settings.idle(), () -> look(shelf));
    }

    /** A call wants one of them. */
    void used(Shelf<C> shelf) {
        shelf.used(environment.timekeeper().nanoTime());
    }

    private void look(Shelf<C> shelf) {
        if (isClosed) {
            return;
        }
        var isQuiet = room.isQuiet(shelf);
        var rest = settings.idle().minusNanos(environment.timekeeper().nanoTime() - shelf.lastUsed());
        if (isQuiet && (rest.isZero() || rest.isNegative())) {
            room.drop(shelf);
        } else {
            steps.later(isQuiet ? rest : settings.idle(), () -> look(shelf));
        }
    }

    /** A start was of no use; there is another one when it may be. */
    void failed(Shelf<C> shelf, Failure why) {
        shelf.backoff().begun();
        shelf.backoff().failed(why);
        tryAgain(shelf);
    }

    private void tryAgain(Shelf<C> shelf) {
        if (isClosed || !shelf.tryAgain()) {
            return;
        }
        steps.later(shelf.backoff().pause(), () -> {
            shelf.tried();
            if (shelf.backoff().holdsOff()) {
                tryAgain(shelf);
            } else {
                refill.run();
            }
        });
    }

    /** From here on there is nothing to be done. */
    void close() {
        isClosed = true;
    }
}
