package io.mcpbridge.retry;

import io.mcpbridge.failure.Delivery;
import io.mcpbridge.spi.Attempt;
import io.mcpbridge.spi.Decision;
import io.mcpbridge.spi.RetryPolicy;

/**
 * Repeats whatever may heal, with pauses that double: the library's default.
 *
 * <p>A tool that is not declared harmless by its own annotations is repeated too, unless they declare that it must
 * not run twice: then a call that may have run stays {@linkplain Decision.InDoubt in doubt}, unless the server runs it
 * once by its key. The server's word, trusted
 * or not, makes this policy only more careful. Immutable; any thread may use it.
 */
public final class ExponentialRetryPolicy implements RetryPolicy {
    private final ExponentialRetrySettings settings;

    public ExponentialRetryPolicy(ExponentialRetrySettings settings) {
        this.settings = settings;
    }

    @Override
    public Decision decide(Attempt failed) {
        if (!Healing.isLikely(failed.failure())) {
            return new Decision.Stop("the same call would fail again");
        }
        if (failed.failure().delivery() == Delivery.UNKNOWN && forbidsRepeating(failed)) {
            return new Decision.InDoubt("its annotations call the tool neither read-only nor idempotent");
        }
        return Attempts.again(failed, settings.maxAttempts(), settings.delay().after(failed.number()));
    }

    @Override
    public int maxAttempts() {
        return settings.maxAttempts();
    }

    private static boolean forbidsRepeating(Attempt failed) {
        return !failed.keyAgreed()
                && failed.hints().declared()
                && !failed.hints().allowsRepeating();
    }
}
