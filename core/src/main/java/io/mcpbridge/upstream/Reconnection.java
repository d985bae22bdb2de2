package io.mcpbridge.upstream;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.mcpbridge.call.Timekeeper;
import io.mcpbridge.config.ReconnectSettings;
import io.mcpbridge.failure.Failure;
import io.mcpbridge.spi.Environment;
import java.time.Duration;
import java.util.concurrent.locks.ReentrantLock;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * Connects one session again in the background after it was lost, with pauses that double and differ by chance, so that
 * servers which were lost together do not come back in one moment, and gives up in the end. A
 * call that opens the session meanwhile makes it unnecessary. Any thread; nothing here waits.
 */
final class Reconnection {

    /** What is connected again. */
    interface Place {

        /** Opens the session unless it is there or being opened. */
        void reopen();

        /** How long it must not be opened; zero if it may be. */
        Duration heldOff();

        /** It is not tried yet, since it must not be opened. */
        void postponed();

        /** It stays disconnected until a call opens it. */
        void exhausted(int tries, Failure why);
    }

    private final ReconnectSettings settings;
    private final Timekeeper timekeeper;
    private final RandomGenerator random;
    private final Place place;
    private final ReentrantLock lock = new ReentrantLock();

    @GuardedBy("lock")
    private int tries;

    @GuardedBy("lock")
    private boolean isOver;

    @GuardedBy("lock")
    private Timekeeper.@Nullable Alarm alarm;

    Reconnection(ReconnectSettings settings, Environment environment, Place place) {
        this.settings = settings;
        this.timekeeper = environment.timekeeper();
        this.random = environment.random();
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
                alarm = timekeeper.schedule(settings.delay(tries, random), this::due);
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
        var rest = place.heldOff();
        lock.lock();
        try {
            if (isOver || alarm == null) {
                return;
            }
            if (rest.isZero()) {
                alarm = null;
                tries++;
            } else {
                alarm = timekeeper.schedule(rest, this::due);
            }
        } finally {
            lock.unlock();
        }
        if (rest.isZero()) {
            place.reopen();
        } else {
            place.postponed();
        }
    }

    @GuardedBy("lock")
    private void stop() {
        if (alarm != null) {
            alarm.cancel();
            alarm = null;
        }
    }
}
