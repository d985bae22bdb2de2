package io.mcpbridge.engine.pipeline;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.mcpbridge.call.Timekeeper;
import io.mcpbridge.failure.ErrorCode;
import io.mcpbridge.failure.Failure;
import io.mcpbridge.spi.GaugeReading;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Limits the share of retries among all attempts at one server, so that retries do not keep an overloaded server down.
 * It starts full, each retry takes tokens, and successes and time add tokens up to the capacity. All callers of the
 * server share it; any thread.
 */
public interface RetryBudget {

    /** Allows every retry, for connections with a single caller. */
    RetryBudget UNLIMITED = new RetryBudget() {};

    /** Creates a budget that starts full. */
    static RetryBudget of(RetryBudgetSettings settings, Timekeeper timekeeper) {
        return new Tokens(settings, timekeeper);
    }

    /** Takes the tokens for a retry after this failure; takes none and returns false if there are too few. */
    default boolean tryAcquire(Failure why) {
        return true;
    }

    /** Takes the tokens for an attempt that is made in any case; takes all that are left if there are too few. */
    default void charge(Failure why) {}

    /** Adds tokens for an attempt that returned a result. */
    default void succeeded() {}

    /** Returns the tokens that are left. */
    default List<GaugeReading> readings() {
        return List.of();
    }

    /** The tokens of one server. */
    final class Tokens implements RetryBudget {
        private final RetryBudgetSettings settings;
        private final Timekeeper timekeeper;
        private final ReentrantLock lock = new ReentrantLock();

        @GuardedBy("lock")
        private double tokens;

        @GuardedBy("lock")
        private long countedAt;

        /** Avoids the lock while the budget is full. */
        private volatile boolean isFull = true;

        private Tokens(RetryBudgetSettings settings, Timekeeper timekeeper) {
            this.settings = settings;
            this.timekeeper = timekeeper;
            this.tokens = settings.capacity();
            this.countedAt = timekeeper.nanoTime();
        }

        @Override
        public boolean tryAcquire(Failure why) {
            lock.lock();
            try {
                refill(0);
                var cost = cost(why);
                if (tokens < cost) {
                    return false;
                }
                tokens -= cost;
                isFull = false;
                return true;
            } finally {
                lock.unlock();
            }
        }

        @Override
        public void charge(Failure why) {
            lock.lock();
            try {
                refill(0);
                tokens = Math.max(0, tokens - cost(why));
                isFull = false;
            } finally {
                lock.unlock();
            }
        }

        private int cost(Failure why) {
            return why.code() == ErrorCode.PROVIDER_TIMEOUT ? settings.timeoutCost() : settings.cost();
        }

        @Override
        public void succeeded() {
            if (isFull) {
                return;
            }
            lock.lock();
            try {
                refill(settings.perSuccess());
            } finally {
                lock.unlock();
            }
        }

        @Override
        public List<GaugeReading> readings() {
            lock.lock();
            try {
                refill(0);
                var words = String.format(Locale.ROOT, "%.0f of %d left for retries", tokens, settings.capacity());
                return List.of(new GaugeReading("retry.budget", tokens, words));
            } finally {
                lock.unlock();
            }
        }

        @GuardedBy("lock")
        private void refill(double more) {
            var now = timekeeper.nanoTime();
            var seconds = (double) (now - countedAt) / TimeUnit.SECONDS.toNanos(1);
            countedAt = now;
            tokens = Math.min(settings.capacity(), tokens + more + seconds * settings.perSecond());
            isFull = tokens >= settings.capacity();
        }
    }
}
