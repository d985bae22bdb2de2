package io.mcpbridge.transport.stdio;

import io.mcpbridge.spi.Environment;
import java.io.IOException;
import java.io.InputStream;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.Arrays;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * Reads a child's standard error and keeps the last lines for error messages. Output there does not indicate a failure.
 *
 * <p>All of it is read, so that the child never blocks on it. Some of it is logged, at DEBUG.
 */
final class ChildStderr {
    private static final int CHUNK = 8 << 10;
    private static final int KEPT = 16 << 10;
    private static final int SHOWN = 2_000;
    private static final int LOG_LENGTH = 500;
    private static final int LOGS_PER_WINDOW = 20;
    private static final long WINDOW = Duration.ofSeconds(10).toNanos();
    private static final long END_GRACE_MILLIS = 100;

    private final InputStream stderr;
    private final String command;
    private final OutputRedactor redactor;
    private final Environment environment;
    private final CountDownLatch ended = new CountDownLatch(1);
    /** The last bytes, up to {@code KEPT}. */
    private volatile byte[] tail = {};

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
                keep(chunk, read);
                log(chunk, read);
            }
        } catch (IOException closed) {
            // The child has ended, which its exit reports.
        } finally {
            ended.countDown();
        }
    }

    private void keep(byte[] chunk, int length) {
        var before = tail;
        var all = Arrays.copyOf(before, before.length + length);
        System.arraycopy(chunk, 0, all, before.length, length);
        tail = Arrays.copyOfRange(all, Math.max(0, all.length - KEPT), all.length);
    }

    /** Returns the last lines; waits a moment for the end of the stream. */
    String lastLines() {
        try {
            ended.await(END_GRACE_MILLIS, TimeUnit.MILLISECONDS);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
        return redactor.ending(tail, SHOWN);
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
}
