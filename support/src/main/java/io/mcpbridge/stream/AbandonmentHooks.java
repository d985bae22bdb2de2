package io.mcpbridge.stream;

import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * The actions to run when the client of one exchange goes away before the exchange ends.
 *
 * <p>An exchange settles once: it {@linkplain #end ends} or is {@linkplain #abandon abandoned}, whichever comes first. Any
 * thread may use it.
 */
public final class AbandonmentHooks {

    /** The action to run, or a mark that says how the exchange settled. */
    private final AtomicReference<Runnable> state = new AtomicReference<>(Mark.NOTHING);

    /** Adds an action; runs it at once if the exchange is abandoned already, and never if it has ended. */
    public void add(Runnable action) {
        var before = state.getAndUpdate(now -> isSettled(now) ? now : both(now, action));
        if (before == Mark.ABANDONED) {
            action.run();
        }
    }

    /** Settles the exchange as ended, so that no action runs; false if it has settled before. */
    public boolean end() {
        return !isSettled(settle(Mark.ENDED));
    }

    /**
     * Settles the exchange as abandoned.
     *
     * @return the actions, which the caller runs without holding a lock; does nothing if the exchange has settled before
     */
    public Runnable abandon() {
        var actions = settle(Mark.ABANDONED);
        return isSettled(actions) ? Mark.NOTHING : actions;
    }

    public boolean isAbandoned() {
        return state.get() == Mark.ABANDONED;
    }

    /** Whether the exchange has ended or is abandoned. */
    public boolean isSettled() {
        return isSettled(state.get());
    }

    private Runnable settle(Mark mark) {
        return state.getAndUpdate(now -> isSettled(now) ? now : mark);
    }

    private static boolean isSettled(@Nullable Runnable action) {
        return action == Mark.ENDED || action == Mark.ABANDONED;
    }

    private static Runnable both(Runnable one, Runnable other) {
        if (one == Mark.NOTHING) {
            return other;
        }
        return () -> {
            one.run();
            other.run();
        };
    }

    private enum Mark implements Runnable {
        NOTHING,
        ENDED,
        ABANDONED;

        @Override
        public void run() {}
    }
}
