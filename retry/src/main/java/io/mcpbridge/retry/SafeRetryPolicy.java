package io.mcpbridge.retry;

import io.mcpbridge.failure.Failure;
import io.mcpbridge.message.Methods;
import io.mcpbridge.spi.Attempt;
import io.mcpbridge.spi.Decision;
import io.mcpbridge.spi.RetryPolicy;
import java.time.Duration;
import java.util.random.RandomGenerator;

/**
 * Repeats only what cannot have run, what its server runs once by its key, and what may run twice: requests that only read,
 * and tools that somebody who is trusted calls read-only or idempotent.
 *
 * <p>Pauses are drawn by chance between nothing and the bound that grows from attempt to attempt, so that many callers
 * do not come back in one moment. Any thread may use it.
 */
public final class SafeRetryPolicy implements RetryPolicy {
    private static final int TOO_MANY_REQUESTS = 429;
    private static final Duration FIRST_WHEN_THROTTLED = Duration.ofSeconds(1);

    /** A caller who would have to wait longer is told so and comes back by himself. */
    private static final Duration LONGEST_RETRY_AFTER = Duration.ofSeconds(60);

    private final SafeRetrySettings settings;
    private final RandomGenerator random;

    /**
     * Makes the policy.
     *
     * @param random a generator that any thread may use
     */
    public SafeRetryPolicy(SafeRetrySettings settings, RandomGenerator random) {
        this.settings = settings;
        this.random = random;
    }

    @Override
    public Decision decide(Attempt failed) {
        var failure = failed.failure();
        if (!Healing.isLikely(failure)) {
            return new Decision.Stop("the same call would fail again");
        }
        return switch (failure.delivery()) {
            case NOT_SENT -> again(failed);
            case REJECTED -> isThrottled(failure) ? again(failed) : onceMore(failed);
            case UNKNOWN ->
                failed.keyAgreed() || mayRunTwice(failed)
                        ? again(failed)
                        : new Decision.InDoubt("nobody who is trusted calls it read-only or idempotent");
            // Many servers report every defect of a tool as an internal error: that rarely heals.
            case ANSWERED ->
                mayRunTwice(failed) ? onceMore(failed) : new Decision.Stop("the server has dealt with the call");
        };
    }

    @Override
    public int maxAttempts() {
        return settings.maxAttempts();
    }

    private Decision onceMore(Attempt failed) {
        return failed.number() == 1 ? again(failed) : new Decision.Stop("it failed so a second time");
    }

    private Decision again(Attempt failed) {
        var asked = failed.failure().retryAfter().orElse(Duration.ZERO);
        if (asked.compareTo(LONGEST_RETRY_AFTER) > 0) {
            return new Decision.Stop("the server asks to wait %d s".formatted(asked.toSeconds()));
        }
        return Attempts.again(failed, settings.maxAttempts(), pause(failed));
    }

    private Duration pause(Attempt failed) {
        var delay = isThrottled(failed.failure())
                ? settings.delay().startingAtLeast(FIRST_WHEN_THROTTLED)
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
}
