package io.mcpbridge.retry;

import io.mcpbridge.spi.Attempt;
import io.mcpbridge.spi.Decision;
import io.mcpbridge.spi.Refusals;
import io.mcpbridge.spi.Settings;
import java.time.Duration;

/** What every policy here does alike: counts attempts and measures the pause against what the caller still waits. */
final class Attempts {
    private static final String KEY = "max-attempts";
    private static final String RULE = "at least 1";

    private Attempts() {}

    static int from(Settings settings, int otherwise) {
        // Whoever chose the policy has read this one.
        settings.ignore("policy");
        var maxAttempts = settings.integer(KEY, otherwise);
        if (maxAttempts >= 1) {
            return maxAttempts;
        }
        settings.reject(KEY, RULE);
        return otherwise;
    }

    static void require(int maxAttempts) {
        new Refusals().unless(maxAttempts >= 1, KEY, maxAttempts, RULE).throwIfAny();
    }

    /** Another attempt after {@code pause}, or after what the server asked for if that is longer. */
    static Decision again(Attempt failed, int maxAttempts, Duration pause) {
        if (failed.number() >= maxAttempts) {
            return new Decision.Stop("all %d attempts are used".formatted(maxAttempts));
        }
        var delay = GrowingDelay.longer(pause, failed.failure().retryAfter().orElse(Duration.ZERO));
        if (delay.compareTo(failed.remaining()) >= 0) {
            return new Decision.Stop("the next attempt is due in %d ms, but the caller waits only %d ms more"
                    .formatted(delay.toMillis(), failed.remaining().toMillis()));
        }
        return new Decision.Retry(delay);
    }
}
