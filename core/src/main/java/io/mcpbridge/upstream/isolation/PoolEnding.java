package io.mcpbridge.upstream.isolation;

import io.mcpbridge.upstream.isolation.Endings.Ending;
import java.time.Duration;

/**
 * Ends the processes of a {@link ChildPool}, each of which keeps its place until it is gone. {@link #end} and {@link #kill}
 * belong to steps of the pool, the rest does not.
 */
final class PoolEnding<C extends PooledChild> {
    /** After how long those that were asked to end are killed where the patience with their server is longer. */
    private static final Duration LONGEST_PATIENCE = Duration.ofSeconds(10);

    /** How long the system may take to end what was killed. */
    private static final Duration AFTER_KILL = Duration.ofSeconds(5);

    private final Steps steps;
    private final Places places;
    private final Endings endings;
    private final Runnable whenGone;

    /** @param whenGone what follows in the same step when a place is free */
    PoolEnding(Steps steps, Places places, Endings endings, Runnable whenGone) {
        this.steps = steps;
        this.places = places;
        this.endings = endings;
        this.whenGone = whenGone;
    }

    /** Ends it in good order, when it is its turn. */
    void end(C child) {
        places.ends();
        var ending = new ChildEnding(child);
        steps.then(() -> endings.patiently(ending));
    }

    /** Ends it at once, since it may be at a call that nobody waits for. */
    void kill(C child) {
        places.ends();
        steps.then(() -> endings.atOnce(() -> run(child::kill)));
    }

    private void run(Runnable ending) {
        try {
            ending.run();
        } finally {
            gone();
        }
    }

    /** One that was to end is gone. */
    void gone() {
        steps.step(() -> {
            places.gone();
            whenGone.run();
        });
    }

    /** Those that wait for their turn have it now, and all are asked to end at once. */
    void hurry() {
        endings.hurry();
    }

    /**
     * Waits until all are gone, and kills what is there after a while. Starts that have not come to an end count too:
     * what they bring would be there after everything else.
     *
     * @param killStarts kills what is being started
     */
    void await(Runnable killStarts) {
        if (!steps.await(() -> places.taken() == 0, LONGEST_PATIENCE)) {
            killStarts.run();
            endings.kill();
            steps.await(() -> places.taken() == 0, AFTER_KILL);
        }
    }

    private final class ChildEnding implements Ending {
        private final C child;

        private ChildEnding(C child) {
            this.child = child;
        }

        @Override
        public void hangUp() {
            child.hangUp();
        }

        @Override
        public void end() {
            run(child::end);
        }

        @Override
        public void kill() {
            child.kill();
        }
    }
}
