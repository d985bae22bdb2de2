package io.mcpbridge.retry;

import io.mcpbridge.failure.Failure;
import io.mcpbridge.message.Methods;
import io.mcpbridge.spi.Environment;
import io.mcpbridge.spi.RetryPolicy;
import io.mcpbridge.spi.RetryPolicy.Attempt;
import io.mcpbridge.spi.RetryPolicy.Decision;
import io.mcpbridge.spi.RetryPolicyProvider;
import io.mcpbridge.spi.Settings;
import java.time.Duration;
import java.util.random.RandomGenerator;

/**
 * Repeats only calls that did not run, that the server deduplicates by their key, or that may run twice: read-only
 * requests, and tools that a trusted source declares read-only or idempotent.
 *
 * <p>Delays have full jitter: a random value between zero and an exponentially growing bound, so that many callers do
 * not retry at the same moment. Any thread may use it.
 */
public final class SafeRetryPolicy implements RetryPolicy {
    private static final int TOO_MANY_REQUESTS = 429;
    private static final Duration MIN_DELAY_WHEN_THROTTLED = Duration.ofSeconds(1);

    /** A longer {@code Retry-After} ends the call; its caller decides when to retry. */
    private static final Duration MAX_RETRY_AFTER = Duration.ofSeconds(60);

    private final BackoffSettings settings;
    private final RandomGenerator random;

    /**
     * Makes the policy.
     *
     * @param random a thread-safe generator
     */
    public SafeRetryPolicy(BackoffSettings settings, RandomGenerator random) {
        this.settings = settings;
        this.random = random;
    }

    @Override
    public Decision decide(Attempt failed) {
        var failure = failed.failure();
        if (!RecoverableErrors.includes(failure)) {
            return new Decision.Stop("the same call would fail again");
        }
        return switch (failure.delivery()) {
            case NOT_SENT -> retry(failed);
            case REJECTED -> isThrottled(failure) ? retry(failed) : retryOnce(failed);
            case UNKNOWN ->
                failed.keyAgreed() || mayRunTwice(failed)
                        ? retry(failed)
                        : new Decision.InDoubt("no trusted source declares it read-only or idempotent");
            // Many servers report every tool failure as an internal error, which rarely recovers.
            case ANSWERED ->
                mayRunTwice(failed) ? retryOnce(failed) : new Decision.Stop("the server has processed the call");
        };
    }

    @Override
    public int maxAttempts() {
        return settings.maxAttempts();
    }

    private Decision retryOnce(Attempt failed) {
        return failed.number() == 1 ? retry(failed) : new Decision.Stop("it failed twice in the same way");
    }

    private Decision retry(Attempt failed) {
        var asked = failed.failure().retryAfter().orElse(Duration.ZERO);
        if (asked.compareTo(MAX_RETRY_AFTER) > 0) {
            return new Decision.Stop("the server asks to wait %d s".formatted(asked.toSeconds()));
        }
        return settings.retryAfter(delay(failed), failed);
    }

    private Duration delay(Attempt failed) {
        var delay = isThrottled(failed.failure())
                ? settings.delay().startingAtLeast(MIN_DELAY_WHEN_THROTTLED)
                : settings.delay();
        return Duration.ofNanos(random.nextLong(delay.after(failed.number()).toNanos() + 1));
    }

    private static boolean isThrottled(Failure failure) {
        var tooMany = failure.status().orElse(0) == TOO_MANY_REQUESTS;
        return tooMany || (failure.status().isPresent() && failure.retryAfter().isPresent());
    }

    private static boolean mayRunTwice(Attempt failed) {
        return Methods.onlyReads(failed.method()) || failed.hints().believed().allowsRepeating();
    }

    /** Provides {@code safe}: repeats only calls that did not run or may run twice. */
    public static final class SafeRetryProvider implements RetryPolicyProvider {

        @Override
        public Id id() {
            return new Id("safe", SPI_VERSION);
        }

        @Override
        public RetryPolicy create(Settings settings, Environment environment) {
            return new SafeRetryPolicy(BackoffSettings.from(settings, BackoffSettings.SAFE), environment.random());
        }
    }
}
