package io.mcpbridge.upstream;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.mcpbridge.call.Timekeeper;
import io.mcpbridge.config.ReconnectSettings;
import io.mcpbridge.failure.Failure;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Connects one session again in the background after it was lost, with pauses that double, and gives up in the end. A
 * call that opens the session meanwhile makes it unnecessary. Any thread; nothing here waits.
 */
final class Reconnection {

    /** What is connected again. */
    interface Place {

        /** Opens the session unless it is there or being opened. */
        void reopen();

        /** It stays disconnected until a call opens it. */
        void exhausted(int tries, Failure why);
    }

    private final ReconnectSettings settings;
    private final Timekeeper timekeeper;
    private final Place place;
    private final ReentrantLock lock = new ReentrantLock();

    @GuardedBy("lock")
    private int tries;

    @GuardedBy("lock")
    private boolean isOver;

    @GuardedBy("lock")
    private Timekeeper.@Nullable Alarm alarm;

    Reconnection(ReconnectSettings settings, Timekeeper timekeeper, Place place) {
        this.settings = settings;
        this.timekeeper = timekeeper;
        this.place = place;
        this.isOver = settings.maxTries() == 0;
    }

    /** The session ended; one that was of no use counts as one more try in vain. */
    void lost(boolean wasWorthIt, Failure why) {
        if (wasWorthIt) {
            lock.lock();
            try {
                tries = 0;
                isOver = settings.maxTries() == 0;
            } finally {
                lock.unlock();
            }
        }
        failed(why);
    }

    /** The session could not be opened, whoever tried. */
    void failed(Failure why) {
        var isExhausted = false;
        lock.lock();
        try {
            if (isOver || alarm != null) {
                return;
            }
            if (tries >= settings.maxTries()) {
                isOver = true;
                isExhausted = true;
            } else {
                alarm = timekeeper.schedule(settings.delay(tries), this::due);
            }
        } finally {
            lock.unlock();
        }
        if (isExhausted) {
            place.exhausted(settings.maxTries(), why);
        }
    }

    /** The session stands; returns how many tries it took, the last one included. */
    int opened() {
        lock.lock();
        try {
            stop();
            return Math.max(1, tries);
        } finally {
            lock.unlock();
        }
    }

    void close() {
        lock.lock();
        try {
            isOver = true;
            stop();
        } finally {
            lock.unlock();
        }
    }

    private void due() {
        lock.lock();
        try {
            if (isOver || alarm == null) {
                return;
            }
            alarm = null;
            tries++;
        } finally {
            lock.unlock();
        }
        place.reopen();
    }

    @GuardedBy("lock")
    private void stop() {
        if (alarm != null) {
            alarm.cancel();
            alarm = null;
        }
    }
}
