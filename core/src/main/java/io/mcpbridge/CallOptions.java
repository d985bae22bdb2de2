package io.mcpbridge;

import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;

/** What one call wants otherwise than its bridge or connection. Immutable. */
public final class CallOptions {
    public static final CallOptions DEFAULTS = new CallOptions(null, OptionalInt.empty(), null, null);

    private final @Nullable Duration timeout;
    private final OptionalInt maxAttempts;
    private final @Nullable String correlationId;
    private final @Nullable ProgressListener progress;

    private CallOptions(
            @Nullable Duration timeout,
            OptionalInt maxAttempts,
            @Nullable String correlationId,
            @Nullable ProgressListener progress) {
        this.timeout = timeout;
        this.maxAttempts = maxAttempts;
        this.correlationId = correlationId;
        this.progress = progress;
    }

    /** How long each attempt may take; longer than zero. */
    public CallOptions withTimeout(Duration newTimeout) {
        if (newTimeout.isNegative() || newTimeout.isZero()) {
            throw new IllegalArgumentException("a time-out must be longer than zero, but is " + newTimeout);
        }
        return new CallOptions(newTimeout, maxAttempts, correlationId, progress);
    }

    /** How often the call is tried at the most; at least 1. */
    public CallOptions withMaxAttempts(int newMaxAttempts) {
        if (newMaxAttempts < 1) {
            throw new IllegalArgumentException(
                    "there must be at least 1 attempt, but maxAttempts is " + newMaxAttempts);
        }
        return new CallOptions(timeout, OptionalInt.of(newMaxAttempts), correlationId, progress);
    }

    /** The id that follows the call through logs, events, audit and errors. */
    public CallOptions withCorrelationId(String newCorrelationId) {
        return new CallOptions(timeout, maxAttempts, Objects.requireNonNull(newCorrelationId), progress);
    }

    /** Who hears of the call's progress, on a thread that must not be kept. */
    public CallOptions withProgress(ProgressListener newProgress) {
        return new CallOptions(timeout, maxAttempts, correlationId, Objects.requireNonNull(newProgress));
    }

    public Optional<Duration> timeout() {
        return Optional.ofNullable(timeout);
    }

    public OptionalInt maxAttempts() {
        return maxAttempts;
    }

    public Optional<String> correlationId() {
        return Optional.ofNullable(correlationId);
    }

    public Optional<ProgressListener> progress() {
        return Optional.ofNullable(progress);
    }
}
