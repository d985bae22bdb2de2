package io.mcpbridge.audit.file;

import io.mcpbridge.audit.record.ChainHead;
import io.mcpbridge.audit.verify.SignedCheckpoint;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Signs checkpoints beside the writer, one at a time: a signature takes as long as hundreds of records, for which their
 * callers would wait. All is for the writer's thread; its own one does nothing but sign, and ends when there is nothing
 * to sign.
 */
final class Signer implements AutoCloseable {
    private static final long IDLE_SECONDS = 10;

    private final SigningKey key;
    private final Runnable wake;
    private final ThreadPoolExecutor thread =
            new ThreadPoolExecutor(1, 1, IDLE_SECONDS, TimeUnit.SECONDS, new LinkedBlockingQueue<>(), work -> {
                var signing = new Thread(work, "mcp-bridge-audit-signer");
                signing.setDaemon(true);
                return signing;
            });

    private @Nullable CompletableFuture<Vouched> current;

    /**
     * What was signed.
     *
     * @param resume where a start may begin to read, once the checkpoint is in its file
     */
    record Vouched(SignedCheckpoint checkpoint, Optional<ResumeFile.Point> resume) {}

    /** @param wake runs from another thread when there is something to take */
    Signer(SigningKey key, Runnable wake) {
        this.key = key;
        this.wake = wake;
        thread.allowCoreThreadTimeOut(true);
    }

    /** Whether something was begun and not taken. */
    boolean isBusy() {
        return current != null;
    }

    /** Begins to sign for a trail that is on the device up to {@code head}. */
    void begin(ChainHead head, Optional<ResumeFile.Point> resume) {
        var signing = CompletableFuture.supplyAsync(
                () -> new Vouched(key.sign(head.sequence(), head.hash()), resume), thread);
        current = signing;
        var unused = signing.whenComplete((signed, failed) -> wake.run());
    }

    /**
     * What is signed by now, or with {@code isUrgent} once it is.
     *
     * @throws java.util.concurrent.CompletionException if the key does not sign
     */
    Optional<Vouched> take(boolean isUrgent) {
        var signing = current;
        if (signing == null || !(isUrgent || signing.isDone())) {
            return Optional.empty();
        }
        current = null;
        return Optional.of(signing.join());
    }

    @Override
    public void close() {
        thread.shutdownNow();
    }
}
