package io.mcpbridge.transport.http.client;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.mcpbridge.call.Timekeeper;
import java.time.Duration;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Asks for a sign of life where a stream has been silent for too long, and gives it up if none comes: a stream that
 * nobody can take up again must not end for its silence alone. Any thread may use it.
 */
final class Pulse {
    private final Timekeeper timekeeper;
    private final Duration limit;
    private final Duration patience;
    private final Runnable ask;
    private final Runnable dead;
    private final ReentrantLock lock = new ReentrantLock();

    @GuardedBy("lock")
    private @Nullable Silence silence;

    @GuardedBy("lock")
    private boolean isAsked;

    @GuardedBy("lock")
    private boolean isOver;

    /**
     * One that does not watch yet.
     *
     * @param limit how long the stream may be silent before it is asked
     * @param patience how long it may be silent after that
     */
    Pulse(Timekeeper timekeeper, Duration limit, Duration patience, Runnable ask, Runnable dead) {
        this.timekeeper = timekeeper;
        this.limit = limit;
        this.patience = patience;
        this.ask = ask;
        this.dead = dead;
    }

    void begin() {
        lock.lock();
        try {
            watch(limit, this::ask);
        } finally {
            lock.unlock();
        }
    }

    /** Something has come. */
    void heard() {
        lock.lock();
        try {
            if (isAsked) {
                isAsked = false;
                watch(limit, this::ask);
            } else if (silence != null) {
                silence.heard();
            }
        } finally {
            lock.unlock();
        }
    }

    void stop() {
        lock.lock();
        try {
            isOver = true;
            forget();
        } finally {
            lock.unlock();
        }
    }

    private void ask() {
        lock.lock();
        try {
            isAsked = true;
            watch(patience, dead);
        } finally {
            lock.unlock();
        }
        ask.run();
    }

    @GuardedBy("lock")
    private void watch(Duration span, Runnable tooLong) {
        forget();
        if (!isOver) {
            silence = new Silence(timekeeper, span, tooLong).begin();
        }
    }

    @GuardedBy("lock")
    private void forget() {
        if (silence != null) {
            silence.stop();
            silence = null;
        }
    }
}
