package io.mcpbridge.transport.stdio;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.mcpbridge.spi.Environment;
import java.io.IOException;
import java.io.InputStream;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.Arrays;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Reads a child's standard error and keeps the last lines for error messages. Output there does not indicate a failure.
 *
 * <p>All of it is read, so that the child never blocks on it. Some of it is logged, at DEBUG.
 */
final class ChildStderr {
    private static final int CHUNK = 8 << 10;
    private static final int KEPT = 64 << 10;
    private static final int SHOWN = 2_000;
    private static final int LOG_LENGTH = 500;
    private static final int LOGS_PER_WINDOW = 20;
    private static final long WINDOW = Duration.ofSeconds(10).toNanos();
    private static final long END_GRACE_MILLIS = 100;

    private final InputStream stderr;
    private final String command;
    private final OutputRedactor redactor;
    private final Environment environment;
    private final RingBuffer tail = new RingBuffer(KEPT);
    private final CountDownLatch ended = new CountDownLatch(1);
    private long windowBegan;
    private int logs;

    ChildStderr(InputStream stderr, String command, OutputRedactor redactor, Environment environment) {
        this.stderr = stderr;
        this.command = command;
        this.redactor = redactor;
        this.environment = environment;
    }

    /** Reads to the end of the stream, on a thread of its own. */
    void read() {
        var chunk = new byte[CHUNK];
        try (stderr) {
            for (var read = stderr.read(chunk); read >= 0; read = stderr.read(chunk)) {
                tail.add(chunk, read);
                log(chunk, read);
            }
        } catch (IOException closed) {
            // The child has ended, which its exit reports.
        } finally {
            ended.countDown();
        }
    }

    /** Returns the last lines; waits a moment for the end of the stream. */
    String lastLines() {
        try {
            ended.await(END_GRACE_MILLIS, TimeUnit.MILLISECONDS);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
        return redactor.ending(tail.bytes(), SHOWN);
    }

    private void log(byte[] chunk, int length) {
        var logger = environment.logger();
        if (!logger.isLoggable(Level.DEBUG) || isTooMuch()) {
            return;
        }
        var text = redactor.beginning(Arrays.copyOf(chunk, length), LOG_LENGTH);
        logger.log(Level.DEBUG, "[mcp-bridge] ''{0}'' on standard error: {1}", command, text);
    }

    private boolean isTooMuch() {
        var now = environment.timekeeper().nanoTime();
        if (now - windowBegan >= WINDOW) {
            windowBegan = now;
            logs = 0;
        }
        return ++logs > LOGS_PER_WINDOW;
    }

    /** Keeps the last bytes of a stream. One thread adds, any thread reads. */
    static final class RingBuffer {
        private final ReentrantLock lock = new ReentrantLock();

        @GuardedBy("lock")
        private final byte[] ring;

        @GuardedBy("lock")
        private long total;

        RingBuffer(int size) {
            this.ring = new byte[size];
        }

        void add(byte[] bytes, int length) {
            lock.lock();
            try {
                for (int i = Math.max(0, length - ring.length); i < length; i++) {
                    ring[(int) ((total + i) % ring.length)] = bytes[i];
                }
                total += length;
            } finally {
                lock.unlock();
            }
        }

        /** Returns the bytes that are kept, oldest first. */
        byte[] bytes() {
            lock.lock();
            try {
                var kept = new byte[(int) Math.min(total, ring.length)];
                for (int i = 0; i < kept.length; i++) {
                    kept[i] = ring[(int) ((total - kept.length + i) % ring.length)];
                }
                return kept;
            } finally {
                lock.unlock();
            }
        }
    }
}
