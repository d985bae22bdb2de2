package io.mcpbridge.stream;

import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/**
 * The turn of an event loop: it handles everything that is ready, and then runs what waits for the end of the turn.
 * Messages to one server that are sent in one turn are so written together.
 */
public final class EventTurn {
    private static final ThreadLocal<@Nullable Executor> END = new ThreadLocal<>();

    private EventTurn() {}

    /**
     * Declares the current thread an event loop.
     *
     * @param end runs a task on this thread, after the events that are ready; only this thread calls it
     */
    public static void of(Executor end) {
        END.set(end);
    }

    /** Runs the task at the end of the turn; at once if the current thread is no event loop. */
    static void atEnd(Runnable task) {
        var end = END.get();
        if (end == null) {
            task.run();
        } else {
            end.execute(task);
        }
    }
}
