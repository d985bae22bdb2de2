package io.mcpbridge.cli;

import io.mcpbridge.config.ClientConfiguration;
import io.mcpbridge.failure.Delivery;
import io.mcpbridge.spi.Attempt;
import io.mcpbridge.spi.Decision;
import io.mcpbridge.spi.RetryPolicy;
import java.time.Duration;

/**
 * Waits for a daemon that is restarting: repeats only what was not sent, with pauses that double.
 *
 * @param file says how often, and how long the first pause is
 */
record DaemonPatience(ClientConfiguration file) implements RetryPolicy {

    @Override
    public Decision decide(Attempt failed) {
        if (failed.failure().delivery() != Delivery.NOT_SENT
                || !failed.failure().retryable()) {
            return new Decision.Stop("it may have reached the daemon");
        }
        return new Decision.Retry(
                longer(pause(failed.number()), failed.failure().retryAfter().orElse(Duration.ZERO)));
    }

    @Override
    public int maxAttempts() {
        return file.reconnect() ? file.maxAttempts() : 1;
    }

    /** The pause behind try {@code number}: none behind the first, then the initial one, doubling. */
    Duration pause(int number) {
        return number <= 1 ? Duration.ZERO : file.initialDelay().multipliedBy(1L << Math.min(number - 2, 20));
    }

    private static Duration longer(Duration one, Duration other) {
        return one.compareTo(other) >= 0 ? one : other;
    }
}
