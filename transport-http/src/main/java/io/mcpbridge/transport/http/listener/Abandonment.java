package io.mcpbridge.transport.http.listener;

import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/** Whether the client of an exchange went away before its end, and what is to be done then. Any thread may use it. */
final class Abandonment {

    /** What to run when it happens, or a mark when it has happened or cannot happen any more. */
    private final AtomicReference<Runnable> state = new AtomicReference<>(Mark.NOTHING);

    boolean hasHappened() {
        return state.get() == Mark.ABANDONED;
    }

    /** Runs {@code action} when it happens, at once if it has. */
    void then(Runnable action) {
        var before = state.getAndUpdate(now -> Mark.isSettled(now) ? now : both(now, action));
        if (before == Mark.ABANDONED) {
            action.run();
        }
    }

    /** From now on it cannot happen any more. */
    void ruleOut() {
        settle(Mark.ENDED);
    }

    /** It happens, unless it was ruled out; returns what the caller has to run, without a lock. */
    Runnable happen() {
        var actions = settle(Mark.ABANDONED);
        return Mark.isSettled(actions) ? Mark.NOTHING : actions;
    }

    private Runnable settle(Mark mark) {
        return state.getAndUpdate(now -> Mark.isSettled(now) ? now : mark);
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

        static boolean isSettled(@Nullable Runnable action) {
            return action == ENDED || action == ABANDONED;
        }

        @Override
        public void run() {}
    }
}
