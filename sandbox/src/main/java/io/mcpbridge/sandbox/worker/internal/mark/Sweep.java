package io.mcpbridge.sandbox.worker.internal.mark;

import java.util.function.Supplier;

/** Ends processes that can start others, or hide for a moment, while they are looked for; for threads that may wait. */
public final class Sweep {
    private static final int MOST_LOOKS = 30;

    /** A single one is not enough: whoever was born or begins a program during a look may not be seen by it. */
    private static final int EMPTY_LOOKS = 3;

    private static final long PAUSE_MILLIS = 3;

    private Sweep() {}

    /**
     * Kills whom {@code look} finds, again and again, until three looks in a row have found nobody, or after thirty looks,
     * whoever is there then. Goes on when it is interrupted, and sets the flag again.
     */
    public static void end(Supplier<Sighting> look) {
        var isHurried = false;
        int empty = 0;
        for (int looks = 1; looks <= MOST_LOOKS; looks++) {
            var seen = look.get();
            seen.found().forEach(ProcessHandle::destroyForcibly);
            empty = seen.isNobody() ? empty + 1 : 0;
            if (empty == EMPTY_LOOKS) {
                break;
            }
            isHurried |= pause();
        }
        if (isHurried) {
            Thread.currentThread().interrupt();
        }
    }

    /** Returns whether it was cut short. */
    private static boolean pause() {
        try {
            Thread.sleep(PAUSE_MILLIS);
            return false;
        } catch (InterruptedException hurried) {
            return true;
        }
    }
}
