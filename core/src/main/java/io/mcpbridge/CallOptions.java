package io.mcpbridge;

import io.mcpbridge.config.RetrySettings;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** What one call wants otherwise than its bridge or connection. Immutable. */
public final class CallOptions {
    public static final CallOptions DEFAULTS = new CallOptions(new Draft());

    private final Draft values;

    private CallOptions(Draft values) {
        this.values = values;
    }

    /** How long each attempt may take; longer than zero. */
    public CallOptions withTimeout(Duration newTimeout) {
        if (newTimeout.isNegative() || newTimeout.isZero()) {
            throw new IllegalArgumentException("a time-out must be longer than zero, but is " + newTimeout);
        }
        var draft = new Draft(values);
        draft.timeout = newTimeout;
        return new CallOptions(draft);
    }

    /** How often the call is tried at the most; at least 1. */
    public CallOptions withMaxAttempts(int newMaxAttempts) {
        if (newMaxAttempts < 1) {
            throw new IllegalArgumentException(
                    "there must be at least 1 attempt, but maxAttempts is " + newMaxAttempts);
        }
        var draft = new Draft(values);
        draft.maxAttempts = newMaxAttempts;
        return new CallOptions(draft);
    }

    /** How often the call is repeated at the most after its first attempt; zero or more. */
    public CallOptions withMaxRetries(int newMaxRetries) {
        if (newMaxRetries < 0) {
            throw new IllegalArgumentException("retries must be 0 or more, but maxRetries is " + newMaxRetries);
        }
        return withMaxAttempts(newMaxRetries + 1);
    }

    /** The pause before the second attempt; zero or longer. */
    public CallOptions withRetryDelay(Duration newDelay) {
        if (newDelay.isNegative()) {
            throw new IllegalArgumentException("a pause must be zero or longer, but is " + newDelay);
        }
        var draft = new Draft(values);
        draft.delay = newDelay;
        return new CallOptions(draft);
    }

    /** Each later pause is so many times the last; 1 to 1000. */
    public CallOptions withBackoffMultiplier(double newMultiplier) {
        if (!(newMultiplier >= 1 && newMultiplier <= 1_000)) {
            throw new IllegalArgumentException("a multiplier must be between 1 and 1000, but is " + newMultiplier);
        }
        var draft = new Draft(values);
        draft.multiplier = newMultiplier;
        return new CallOptions(draft);
    }

    /** The id that follows the call through logs, events, audit and errors. */
    public CallOptions withCorrelationId(String newCorrelationId) {
        var draft = new Draft(values);
        draft.correlationId = Objects.requireNonNull(newCorrelationId);
        return new CallOptions(draft);
    }

    /** Who hears of the call's progress, on a thread that must not be kept. */
    public CallOptions withProgress(ProgressListener newProgress) {
        var draft = new Draft(values);
        draft.progress = Objects.requireNonNull(newProgress);
        return new CallOptions(draft);
    }

    public Optional<Duration> timeout() {
        return Optional.ofNullable(values.timeout);
    }

    public Optional<String> correlationId() {
        return Optional.ofNullable(values.correlationId);
    }

    public Optional<ProgressListener> progress() {
        return Optional.ofNullable(values.progress);
    }

    /** The server's own settings with what this call wants otherwise. */
    RetrySettings retry(RetrySettings server) {
        return new RetrySettings(
                server.policy(),
                values.maxAttempts == null ? server.maxRetries() : values.maxAttempts - 1,
                values.delay == null ? server.delay() : values.delay,
                values.multiplier == null ? server.multiplier() : values.multiplier);
    }

    /** The fields while a copy is made; unchanged afterwards. */
    private static final class Draft {
        private @Nullable Duration timeout;
        private @Nullable Integer maxAttempts;
        private @Nullable Duration delay;
        private @Nullable Double multiplier;
        private @Nullable String correlationId;
        private @Nullable ProgressListener progress;

        private Draft() {}

        private Draft(Draft from) {
            this.timeout = from.timeout;
            this.maxAttempts = from.maxAttempts;
            this.delay = from.delay;
            this.multiplier = from.multiplier;
            this.correlationId = from.correlationId;
            this.progress = from.progress;
        }
    }
}
