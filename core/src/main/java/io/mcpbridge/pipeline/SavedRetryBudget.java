package io.mcpbridge.pipeline;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.mcpbridge.call.Timekeeper;
import io.mcpbridge.failure.ErrorCode;
import io.mcpbridge.failure.Failure;
import io.mcpbridge.spi.Reading;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;

/** A budget that saves up what successes and time bring, up to its capacity, with which it begins. Any thread. */
public final class SavedRetryBudget implements RetryBudget {
    private final RetryBudgetSettings settings;
    private final Timekeeper timekeeper;
    private final ReentrantLock lock = new ReentrantLock();

    @GuardedBy("lock")
    private double saved;

    @GuardedBy("lock")
    private long countedAt;

    /** Spares the lock while nothing has failed for a while. */
    private volatile boolean isFull = true;

    public SavedRetryBudget(RetryBudgetSettings settings, Timekeeper timekeeper) {
        this.settings = settings;
        this.timekeeper = timekeeper;
        this.saved = settings.capacity();
        this.countedAt = timekeeper.nanoTime();
    }

    @Override
    public boolean pays(Failure why) {
        int cost = why.code() == ErrorCode.PROVIDER_TIMEOUT ? settings.timeoutCost() : settings.cost();
        lock.lock();
        try {
            receive(0);
            if (saved < cost) {
                return false;
            }
            saved -= cost;
            isFull = false;
            return true;
        } finally {
            lock.unlock();
        }
    }

    @Override
    public void succeeded() {
        if (isFull) {
            return;
        }
        lock.lock();
        try {
            receive(settings.perSuccess());
        } finally {
            lock.unlock();
        }
    }

    @Override
    public List<Reading> readings() {
        lock.lock();
        try {
            receive(0);
            var words = String.format(Locale.ROOT, "%.0f of %d left for retries", saved, settings.capacity());
            return List.of(new Reading("retry.budget", saved, words));
        } finally {
            lock.unlock();
        }
    }

    @GuardedBy("lock")
    private void receive(double income) {
        var now = timekeeper.nanoTime();
        var seconds = (double) (now - countedAt) / TimeUnit.SECONDS.toNanos(1);
        countedAt = now;
        saved = Math.min(settings.capacity(), saved + income + seconds * settings.perSecond());
        isFull = saved >= settings.capacity();
    }
}
