package io.mcpbridge.upstream.isolation;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.mcpbridge.spi.Environment;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/**
 * Changes something in steps, each of which is seen whole or not at all; what follows from a step is done without the
 * lock, and what throws there keeps nothing else from being done. Any thread.
 */
final class Steps {
    private final Environment environment;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition stepped = lock.newCondition();

    @GuardedBy("lock")
    private List<Runnable> following = new ArrayList<>();

    Steps(Environment environment) {
        this.environment = environment;
    }

    /** Makes one step, which does not make another within itself. */
    void step(Runnable change) {
        var ours = new ArrayList<Runnable>(2);
        lock.lock();
        try {
            following = ours;
            change.run();
            stepped.signalAll();
        } finally {
            lock.unlock();
        }
        ours.forEach(this::run);
    }

    /** What is done for one call ends in what plug-ins have made of its reply, whose defects are no business of the others. */
    private void run(Runnable action) {
        try {
            action.run();
        } catch (RuntimeException defect) {
            environment.logger().log(Level.ERROR, "[mcp-bridge] a call or a process of a pool failed", defect);
        }
    }

    /** Reads something between steps. */
    <T> T read(Supplier<T> reading) {
        lock.lock();
        try {
            return reading.get();
        } finally {
            lock.unlock();
        }
    }

    /** Within a step: does something when the step is done, on the same thread. */
    void then(Runnable action) {
        lock.lock();
        try {
            following.add(action);
        } finally {
            lock.unlock();
        }
    }

    /** Within a step: makes another one later. */
    void later(Duration delay, Runnable change) {
        then(() -> {
            var unused = environment.timekeeper().schedule(delay, () -> step(change));
        });
    }

    /** Outside of steps: waits until they have brought it about that {@code holds} is true; false if it never was. */
    boolean await(BooleanSupplier holds, Duration longest) {
        var left = longest.toNanos();
        lock.lock();
        try {
            while (!holds.getAsBoolean() && left > 0) {
                left = stepped.awaitNanos(left);
            }
            return holds.getAsBoolean();
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            return false;
        } finally {
            lock.unlock();
        }
    }
}
