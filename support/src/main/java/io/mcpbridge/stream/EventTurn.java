package io.mcpbridge.stream;

import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/**
 * The turn of an event loop: the loop handles everything that is ready, and then runs what waits for the end of the turn.
 * So it writes the messages together that it sends to one server in one turn. Other threads with many short tasks may have
 * turns, too.
 */
public final class EventTurn {
    private static final ThreadLocal<@Nullable Executor> END = new ThreadLocal<>();

    private EventTurn() {}

    /**
     * Declares that the current thread has turns, as an event loop has.
     *
     * @param end runs a task on this thread, after what is ready; only this thread calls it
     */
    public static void declare(Executor end) {
        END.set(end);
    }

    /** Runs the task at the end of the turn; returns false if the current thread has none. */
    static boolean atEnd(Runnable task) {
        var end = END.get();
        if (end != null) {
            end.execute(task);
        }
        return end != null;
    }
}
