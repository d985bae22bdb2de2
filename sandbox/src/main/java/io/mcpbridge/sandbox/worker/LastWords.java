package io.mcpbridge.sandbox.worker;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.mcpbridge.failure.VisibleText;
import io.mcpbridge.sandbox.worker.internal.frame.CallMark;
import java.io.IOException;
import java.io.InputStream;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Drains a worker's standard error, however much comes, and keeps the end of it. What calls have said that came before the
 * present one, and may be those of somebody else, is not shown. Any thread may ask.
 */
final class LastWords {
    private static final int CHUNK = 8 << 10;
    private static final int KEPT = 4 << 10;
    private static final int SHOWN = 1_000;
    private static final long GRACE_MILLIS = 200;

    private static final int SHORTEST_SECRET = 6;

    private final InputStream stderr;
    private final List<String> secrets;
    private final CountDownLatch ended = new CountDownLatch(1);
    private final ReentrantLock lock = new ReentrantLock();

    @GuardedBy("lock")
    private final byte[] ring = new byte[KEPT];

    @GuardedBy("lock")
    private long total;

    @GuardedBy("lock")
    private long begun;

    /** What stands before the words of the present call. */
    @GuardedBy("lock")
    private byte[] mark = {};

    /** How much of it has come so far. */
    @GuardedBy("lock")
    private int matched;

    /** What is in {@code secrets} is not shown. */
    LastWords(InputStream stderr, Collection<String> secrets) {
        this.stderr = stderr;
        this.secrets = secrets.stream()
                .filter(secret -> secret.length() >= SHORTEST_SECRET)
                .toList();
    }

    /** The whole life of the thread that reads it. */
    void read() {
        var chunk = new byte[CHUNK];
        try (stderr) {
            for (var read = stderr.read(chunk); read >= 0; read = stderr.read(chunk)) {
                keep(chunk, read);
            }
        } catch (IOException closed) {
            // The worker has ended, which is told elsewhere.
        } finally {
            ended.countDown();
        }
    }

    private void keep(byte[] chunk, int length) {
        lock.lock();
        try {
            for (int i = 0; i < length; i++) {
                ring[(int) (total % KEPT)] = chunk[i];
                total++;
                look(chunk[i]);
            }
        } finally {
            lock.unlock();
        }
    }

    @GuardedBy("lock")
    private void look(byte next) {
        if (matched == mark.length) {
            return;
        }
        if (next != mark[matched]) {
            matched = 0;
        }
        matched += next == mark[matched] ? 1 : 0;
        if (matched == mark.length) {
            begun = total;
        }
    }

    /** Shows nothing from now on but what comes behind the mark of this call, which the worker is going to write. */
    void begin(long number) {
        lock.lock();
        try {
            mark = CallMark.of(number);
            matched = 0;
            begun = Long.MAX_VALUE;
        } finally {
            lock.unlock();
        }
    }

    /** The last lines in one, once all was read; waits a moment for that. */
    String text() {
        try {
            var unused = ended.await(GRACE_MILLIS, TimeUnit.MILLISECONDS);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
        var text = VisibleText.line(hide(kept().strip()));
        return text.length() <= SHOWN ? text : "..." + text.substring(text.length() - SHOWN);
    }

    private String hide(String text) {
        var hidden = text;
        for (var secret : secrets) {
            hidden = hidden.replace(secret, "***");
        }
        return hidden;
    }

    private String kept() {
        lock.lock();
        try {
            var kept = new byte[(int) Math.max(0, Math.min(total - begun, KEPT))];
            for (int i = 0; i < kept.length; i++) {
                kept[i] = ring[(int) ((total - kept.length + i) % KEPT)];
            }
            return new String(kept, UTF_8);
        } finally {
            lock.unlock();
        }
    }
}
