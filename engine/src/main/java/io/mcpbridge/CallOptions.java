package io.mcpbridge;

import io.mcpbridge.call.TraceParent;
import io.mcpbridge.spi.Settings;
import io.mcpbridge.tool.Progress;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Settings of one call that differ from those of its bridge or connection. Immutable. */
public final class CallOptions {
    public static final CallOptions DEFAULTS = new CallOptions();

    private @Nullable Duration timeout;
    private @Nullable Integer maxAttempts;
    private @Nullable Duration delay;
    private @Nullable Double multiplier;
    private @Nullable String correlationId;
    private @Nullable Consumer<Progress> progress;
    private TraceParent trace = TraceParent.NONE;

    private CallOptions() {}

    /** Changes a copy before any other class can see it. */
    private CallOptions with(Consumer<CallOptions> change) {
        var copy = new CallOptions();
        copy.timeout = timeout;
        copy.maxAttempts = maxAttempts;
        copy.delay = delay;
        copy.multiplier = multiplier;
        copy.correlationId = correlationId;
        copy.progress = progress;
        copy.trace = trace;
        change.accept(copy);
        return copy;
    }

    /** How long each attempt may take; longer than zero. */
    public CallOptions withTimeout(Duration newTimeout) {
        if (newTimeout.isNegative() || newTimeout.isZero()) {
            throw new IllegalArgumentException("a time-out must be longer than zero, but is " + newTimeout);
        }
        return with(copy -> copy.timeout = newTimeout);
    }

    /** The most attempts; 1 to 101. */
    public CallOptions withMaxAttempts(int newMaxAttempts) {
        if (newMaxAttempts < 1 || newMaxAttempts > 101) {
            throw new IllegalArgumentException(
                    "attempts must be between 1 and 101, but maxAttempts is " + newMaxAttempts);
        }
        return with(copy -> copy.maxAttempts = newMaxAttempts);
    }

    /** The most attempts after the first; 0 to 100. */
    public CallOptions withMaxRetries(int newMaxRetries) {
        if (newMaxRetries < 0 || newMaxRetries > 100) {
            throw new IllegalArgumentException("retries must be between 0 and 100, but maxRetries is " + newMaxRetries);
        }
        return withMaxAttempts(newMaxRetries + 1);
    }

    /** The pause before the second attempt; zero or longer. */
    public CallOptions withRetryDelay(Duration newDelay) {
        if (newDelay.isNegative()) {
            throw new IllegalArgumentException("a pause must be zero or longer, but is " + newDelay);
        }
        return with(copy -> copy.delay = newDelay);
    }

    /** The factor from each pause to the next; 1 to 1000. */
    public CallOptions withBackoffMultiplier(double newMultiplier) {
        if (!(newMultiplier >= 1 && newMultiplier <= 1_000)) {
            throw new IllegalArgumentException("a multiplier must be between 1 and 1000, but is " + newMultiplier);
        }
        return with(copy -> copy.multiplier = newMultiplier);
    }

    /** The id of the call in logs, events, audit records and errors. */
    public CallOptions withCorrelationId(String newCorrelationId) {
        return with(copy -> copy.correlationId = Objects.requireNonNull(newCorrelationId));
    }

    /** The receiver of the call's progress. It runs on a thread of the bridge and must not block. */
    public CallOptions withProgress(Consumer<Progress> newProgress) {
        return with(copy -> copy.progress = Objects.requireNonNull(newProgress));
    }

    /** The trace of the call, which its server and the audit learn; by default that of the current thread. */
    public CallOptions withTrace(TraceParent newTrace) {
        return with(copy -> copy.trace = Objects.requireNonNull(newTrace));
    }

    public Optional<Duration> timeout() {
        return Optional.ofNullable(timeout);
    }

    public Optional<String> correlationId() {
        return Optional.ofNullable(correlationId);
    }

    public Optional<Consumer<Progress>> progress() {
        return Optional.ofNullable(progress);
    }

    /** The trace that the options name; {@link TraceParent#NONE} if they name none. */
    public TraceParent trace() {
        return trace;
    }

    /** Returns the retry settings of this call, under the keys of a server's section; empty if it has none. */
    Optional<Settings> retrySection() {
        if (maxAttempts == null && delay == null && multiplier == null) {
            return Optional.empty();
        }
        var values = new LinkedHashMap<String, Object>();
        if (maxAttempts != null) {
            values.put("max-retries", maxAttempts - 1);
        }
        if (delay != null) {
            values.put("retry-delay", delay.toMillis() + "ms");
        }
        if (multiplier != null) {
            values.put("backoff-multiplier", multiplier);
        }
        return Optional.of(Settings.of(values));
    }
}
