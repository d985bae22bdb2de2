package io.mcpbridge.upstream.session;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.mcpbridge.call.Timekeeper;
import java.time.Duration;
import java.util.concurrent.locks.ReentrantLock;

/** How often the process of one session was started within a minute; further starts wait for the next one. Any thread. */
public final class Starts {
    private static final Duration WINDOW = Duration.ofSeconds(60);

    private final int max;
    private final Timekeeper timekeeper;
    private final String words;
    private final ReentrantLock lock = new ReentrantLock();

    @GuardedBy("lock")
    private long begin;

    @GuardedBy("lock")
    private int count;

    /** @param max how many starts a minute may have */
    public Starts(int max, Timekeeper timekeeper) {
        this(max, timekeeper, "was started %d times within %d s, which is the limit 'starts-per-minute'");
    }

    private Starts(int max, Timekeeper timekeeper, String words) {
        this.max = max;
        this.timekeeper = timekeeper;
        this.words = words;
    }

    /** Where only starts count that came to nothing. */
    public static Starts inVain(int max, Timekeeper timekeeper) {
        var words = "was started in vain %d times within %d s, which is the limit 'starts-per-minute'";
        return new Starts(max, timekeeper, words);
    }

    /** For servers that are no processes of ours. */
    public static Starts unlimited(Timekeeper timekeeper) {
        return new Starts(Integer.MAX_VALUE, timekeeper);
    }

    void begun() {
        lock.lock();
        try {
            var now = timekeeper.nanoTime();
            if (count == 0 || now - begin >= WINDOW.toNanos()) {
                begin = now;
                count = 0;
            }
            count++;
        } finally {
            lock.unlock();
        }
    }

    /** How long there may be no further start; zero if there may be one. */
    Duration heldOff() {
        lock.lock();
        try {
            var left = WINDOW.toNanos() - (timekeeper.nanoTime() - begin);
            return count < max || left <= 0 ? Duration.ZERO : Duration.ofNanos(left);
        } finally {
            lock.unlock();
        }
    }

    String words() {
        return words.formatted(max, WINDOW.toSeconds());
    }
}
