package io.mcpbridge.transport.stdio;

import io.mcpbridge.spi.Environment;
import java.io.IOException;
import java.io.InputStream;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * Drains a child's standard error and keeps its last words; writing there is not a sign of failure.
 *
 * <p>It is always read, however much comes, so that the child never gets stuck on it. The log hears some of
 * it, at DEBUG.
 */
final class ChildErrors {
    private static final int CHUNK = 8 << 10;
    private static final int KEPT = 64 << 10;
    private static final int LAST_WORDS = 2_000;
    private static final int LOG_LENGTH = 500;
    private static final int LOGS_PER_WINDOW = 20;
    private static final long WINDOW = Duration.ofSeconds(10).toNanos();
    private static final long END_GRACE_MILLIS = 100;

    private final InputStream stderr;
    private final String command;
    private final SafeText words;
    private final Environment environment;
    private final Tail tail = new Tail(KEPT);
    private final CountDownLatch ended = new CountDownLatch(1);
    private long windowBegan;
    private int logs;

    ChildErrors(InputStream stderr, String command, SafeText words, Environment environment) {
        this.stderr = stderr;
        this.command = command;
        this.words = words;
        this.environment = environment;
    }

    /** The whole life of the thread that reads it. */
    void read() {
        var chunk = new byte[CHUNK];
        try (stderr) {
            for (var read = stderr.read(chunk); read >= 0; read = stderr.read(chunk)) {
                tail.add(chunk, read);
                log(chunk, read);
            }
        } catch (IOException closed) {
            // The child has ended, which is told elsewhere.
        } finally {
            ended.countDown();
        }
    }

    /** The last lines, once all was read; waits a moment for that. */
    String lastWords() {
        try {
            ended.await(END_GRACE_MILLIS, TimeUnit.MILLISECONDS);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
        return words.ending(tail.bytes(), LAST_WORDS);
    }

    private void log(byte[] chunk, int length) {
        var logger = environment.logger();
        if (!logger.isLoggable(Level.DEBUG) || isTooMuch()) {
            return;
        }
        var text = words.beginning(java.util.Arrays.copyOf(chunk, length), LOG_LENGTH);
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
