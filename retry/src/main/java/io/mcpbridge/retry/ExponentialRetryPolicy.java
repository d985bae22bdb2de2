package io.mcpbridge.retry;

import io.mcpbridge.failure.Delivery;
import io.mcpbridge.spi.Environment;
import io.mcpbridge.spi.RetryPolicy;
import io.mcpbridge.spi.RetryPolicy.Attempt;
import io.mcpbridge.spi.RetryPolicy.Decision;
import io.mcpbridge.spi.RetryPolicyProvider;
import io.mcpbridge.spi.Settings;

/**
 * Repeats every recoverable failure, with exponential backoff: the default of the library.
 *
 * <p>It also repeats calls of a tool without annotations. If the annotations declare the tool neither read-only nor
 * idempotent, a call that may have run is {@linkplain Decision.InDoubt in doubt} instead, unless the server
 * deduplicates it by its key. Annotations of untrusted servers count as well, since they only make this policy more
 * careful. Immutable; any thread may use it.
 */
public final class ExponentialRetryPolicy implements RetryPolicy {
    private final BackoffSettings settings;

    public ExponentialRetryPolicy(BackoffSettings settings) {
        this.settings = settings;
    }

    @Override
    public Decision decide(Attempt failed) {
        if (!RecoverableErrors.includes(failed.failure())) {
            return new Decision.Stop("the same call would fail again");
        }
        if (failed.failure().delivery() == Delivery.UNKNOWN && forbidsRepeating(failed)) {
            return new Decision.InDoubt("its annotations declare the tool neither read-only nor idempotent");
        }
        return settings.retryAfter(settings.delay().after(failed.number()), failed);
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

    /** Provides {@code exponential}: repeats every recoverable failure, with exponential backoff. */
    public static final class ExponentialRetryProvider implements RetryPolicyProvider {

        @Override
        public Id id() {
            return new Id("exponential", SPI_VERSION);
        }

        @Override
        public RetryPolicy create(Settings settings, Environment environment) {
            return new ExponentialRetryPolicy(BackoffSettings.from(settings, BackoffSettings.EXPONENTIAL));
        }
    }
}
