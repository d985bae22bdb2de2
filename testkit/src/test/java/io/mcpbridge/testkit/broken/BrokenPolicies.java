package io.mcpbridge.testkit.broken;

import io.mcpbridge.failure.Delivery;
import io.mcpbridge.failure.ErrorCode;
import io.mcpbridge.spi.RetryPolicy;
import io.mcpbridge.spi.RetryPolicy.Attempt;
import io.mcpbridge.spi.RetryPolicy.Decision;
import io.mcpbridge.testkit.contract.RetryPolicyContract;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.extension.ExtendWith;

/** Retry policies with one broken promise each, under their contract. The build does not run them by themselves. */
final class BrokenPolicies {

    private BrokenPolicies() {}

    /** A policy that keeps every promise but the one that a subclass breaks. */
    @ExtendWith(OnlyWhenAsked.class)
    abstract static class Suite extends RetryPolicyContract {
        private static final int MAX_ATTEMPTS = 3;

        @Override
        protected RetryPolicy policy(RandomGenerator random) {
            return new RetryPolicy() {
                @Override
                public int maxAttempts() {
                    return MAX_ATTEMPTS;
                }

                @Override
                public Decision decide(Attempt failed) {
                    return Suite.this.decide(failed);
                }
            };
        }

        Decision decide(Attempt failed) {
            if (!isTransient(failed.failure().code()) || failed.number() >= MAX_ATTEMPTS) {
                return new Decision.Stop("no attempt would help");
            }
            if (mayHaveRun(failed) && !failed.hints().allowsRepeating()) {
                return new Decision.InDoubt("it may not run twice");
            }
            var pause = pause(failed);
            return pause.compareTo(failed.remaining()) < 0
                    ? new Decision.Retry(pause)
                    : new Decision.Stop("the caller does not wait for so long");
        }

        boolean isTransient(ErrorCode code) {
            return code == ErrorCode.PROVIDER_UNAVAILABLE || code == ErrorCode.PROVIDER_TIMEOUT;
        }

        boolean mayHaveRun(Attempt failed) {
            return failed.failure().delivery() == Delivery.UNKNOWN;
        }

        Duration pause(Attempt failed) {
            return failed.failure().retryAfter().orElse(Duration.ofMillis(100));
        }
    }

    /** Breaks nothing. */
    static final class BreaksNothing extends Suite {}

    /** Waits for the pause itself. */
    static final class Sleeps extends Suite {
        @Override
        Duration pause(Attempt failed) {
            try {
                var unused = new CountDownLatch(1).await(20, TimeUnit.SECONDS);
            } catch (InterruptedException ended) {
                Thread.currentThread().interrupt();
            }
            return super.pause(failed);
        }
    }

    /** Repeats calls that a limit of the bridge has rejected. */
    static final class RepeatsOverloaded extends Suite {
        @Override
        boolean isTransient(ErrorCode code) {
            return super.isTransient(code) || code == ErrorCode.OVERLOADED;
        }
    }

    /** Repeats a call for ever. */
    static final class NeverStops extends Suite {
        @Override
        Decision decide(Attempt failed) {
            return super.decide(new Attempt(1, failed.method(), failed.failure(), failed.hints(), failed.remaining()));
        }
    }

    /** Retries earlier than the server requested. */
    static final class IgnoresRetryAfter extends Suite {
        @Override
        Duration pause(Attempt failed) {
            return Duration.ofMillis(100);
        }
    }

    /** Repeats calls that may have run, whatever the tool does. */
    static final class RepeatsWhatMayHaveRun extends Suite {
        @Override
        boolean mayHaveRun(Attempt failed) {
            return false;
        }
    }

    /** Repeats only the first ten calls that it sees. */
    static final class CountsCalls extends Suite {
        private final AtomicInteger seen = new AtomicInteger();

        @Override
        boolean isTransient(ErrorCode code) {
            return super.isTransient(code) && seen.incrementAndGet() <= 10;
        }
    }
}
