package io.mcpbridge.audit.file;

import io.mcpbridge.spi.Completion;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/** A completion as a future, which ends in any case. */
record CompletionFuture(CompletableFuture<Void> future) implements Completion {
    private static final Duration TIMEOUT = Duration.ofSeconds(30);

    CompletionFuture() {
        this(new CompletableFuture<Void>().orTimeout(TIMEOUT.toSeconds(), TimeUnit.SECONDS));
    }

    @Override
    public void succeeded() {
        future.complete(null);
    }

    @Override
    public void failed(Throwable why) {
        future.completeExceptionally(why);
    }
}
