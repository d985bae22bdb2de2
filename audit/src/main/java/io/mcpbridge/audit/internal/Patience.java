package io.mcpbridge.audit.internal;

import io.mcpbridge.spi.Environment;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;

/**
 * Ends the wait of those whose records take too long, whatever the writer is caught in. Any thread.
 *
 * <p>The records themselves stay in line and are written as soon as that works.
 */
public final class Patience {
    private static final int LOOKS = 4;

    private final Backlog backlog;
    private final Environment environment;
    private final Duration patience;
    private final Supplier<String> reason;
    private final AtomicBoolean armed = new AtomicBoolean();

    /**
     * Nobody waits yet.
     *
     * @param patience how long a record may take, and at most a quarter more
     * @param reason why records are not written at this moment
     */
    public Patience(Backlog backlog, Environment environment, Duration patience, Supplier<String> reason) {
        this.backlog = backlog;
        this.environment = environment;
        this.patience = patience;
        this.reason = reason;
    }

    /** Somebody waits from now on; cheap where somebody else does too. */
    public void watch() {
        if (armed.compareAndSet(false, true)) {
            arm(patience);
        }
    }

    private void arm(Duration delay) {
        var unused = environment.timekeeper().schedule(delay, this::ring);
    }

    /** Whoever hears of a failure goes on with its call, which is nothing for the thread of the alarms. */
    private void ring() {
        if (!backlog.isClosed()) {
            environment.workers().execute(this::look);
        }
    }

    private void look() {
        armed.set(false);
        var late = backlog.awaitedFor(patience);
        if (!late.isEmpty()) {
            var why = Backlog.unavailable(
                    "The audit record is not durable after %d ms: %s".formatted(patience.toMillis(), reason.get()));
            late.forEach(each -> each.fail(why, environment.logger()));
        }
        if (backlog.isAwaited() && armed.compareAndSet(false, true)) {
            arm(patience.dividedBy(LOOKS));
        }
    }
}
