package io.mcpbridge.workers;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.mcpbridge.failure.VisibleText;
import io.mcpbridge.workers.internal.frame.WorkerRequest;
import java.io.IOException;
import java.io.InputStream;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Reads the standard error of a worker completely and keeps its end for error messages.
 *
 * <p>It shows only the output of the current call, since earlier calls may belong to another client. Any thread may use
 * it.
 */
final class StderrTail {
    private static final int CHUNK = 8 << 10;
    private static final int KEPT = 4 << 10;
    private static final int SHOWN = 1_000;
    private static final long GRACE_MILLIS = 200;
    private static final int SHORTEST_SECRET = 6;

    private final InputStream stderr;
    private final List<String> secrets;
    private final CountDownLatch ended = new CountDownLatch(1);
    private final ReentrantLock lock = new ReentrantLock();

    /** The last bytes that were read, each as one character, so that no byte is lost or changed. */
    @GuardedBy("lock")
    private String tail = "";

    /** The marker before the output of the current call; empty after it was read. */
    @GuardedBy("lock")
    private String marker = "";

    /** Creates a tail that hides {@code secrets}. */
    StderrTail(InputStream stderr, Collection<String> secrets) {
        this.stderr = stderr;
        this.secrets = secrets.stream()
                .filter(secret -> secret.length() >= SHORTEST_SECRET)
                .toList();
    }

    /** Reads to the end of the stream; blocks its thread. */
    void read() {
        var chunk = new byte[CHUNK];
        try (stderr) {
            for (var read = stderr.read(chunk); read >= 0; read = stderr.read(chunk)) {
                keep(new String(chunk, 0, read, ISO_8859_1));
            }
        } catch (IOException closed) {
            // The worker has ended; its exit code reports that.
        } finally {
            ended.countDown();
        }
    }

    private void keep(String chunk) {
        lock.lock();
        try {
            var text = tail + chunk;
            var begin = marker.isEmpty() ? -1 : text.indexOf(marker);
            if (begin >= 0) {
                text = text.substring(begin + marker.length());
                marker = "";
            }
            tail = text.substring(Math.max(0, text.length() - KEPT));
        } finally {
            lock.unlock();
        }
    }

    /** Shows from now on only the output after the marker of this call, which the worker is about to write. */
    void beginCall(long id) {
        lock.lock();
        try {
            marker = new String(WorkerRequest.stderrMarker(id), ISO_8859_1);
        } finally {
            lock.unlock();
        }
    }

    /** Returns the last lines as one line; waits briefly for the end of the stream. */
    String text() {
        try {
            var unused = ended.await(GRACE_MILLIS, TimeUnit.MILLISECONDS);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
        var text = VisibleText.line(hideSecrets(kept().strip()));
        return text.length() <= SHOWN ? text : "..." + text.substring(text.length() - SHOWN);
    }

    private String hideSecrets(String text) {
        var hidden = text;
        for (var secret : secrets) {
            hidden = hidden.replace(secret, "***");
        }
        return hidden;
    }

    private String kept() {
        lock.lock();
        try {
            return marker.isEmpty() ? new String(tail.getBytes(ISO_8859_1), UTF_8) : "";
        } finally {
            lock.unlock();
        }
    }
}
