package io.mcpbridge.workers;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.mcpbridge.call.JitteredBackoff;
import io.mcpbridge.failure.BridgeException;
import io.mcpbridge.failure.Delivery;
import io.mcpbridge.spi.SandboxLevel;
import io.mcpbridge.workers.Worker.Lease;
import io.mcpbridge.workers.internal.frame.WorkerResponse;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashSet;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The workers of a pool that have the same memory limit, and the calls that wait for one of them.
 *
 * <p>Waiting calls get workers in the order of their arrival; the most recently used idle worker is taken first. The
 * pool's threads start, end and kill workers without the lock. Any thread may use a group.
 */
final class WorkerGroup {
    private static final long MIB = 1 << 20;
    private static final Duration MAX_SPARE_IDLE = Duration.ofMinutes(1);

    /** A worker that ends unused before this age counts as a failed start. */
    private static final Duration STABLE_AGE = Duration.ofSeconds(2);

    private final WorkerOptions options;
    private final PoolExecutors threads;
    private final Callable<Worker> launch;
    private final SandboxLevel level;
    private final long maxResidentBytes;
    private final ReentrantLock lock = new ReentrantLock();

    @GuardedBy("lock")
    private final Deque<Worker> idle = new ArrayDeque<>();

    /** The workers that run a call, or end after their last one; they use capacity until they have ended. */
    @GuardedBy("lock")
    private final Set<Lease> busy = new HashSet<>();

    @GuardedBy("lock")
    private final Queue<CompletableFuture<Lease>> waiters = new ArrayDeque<>();

    @GuardedBy("lock")
    private final StartBackoff backoff = new StartBackoff();

    @GuardedBy("lock")
    private int starting;

    @GuardedBy("lock")
    private boolean isClosed;

    /** @param launch starts a worker; may block */
    WorkerGroup(WorkerOptions options, WorkerCommandFactory command, PoolExecutors threads, Callable<Worker> launch) {
        this.options = options;
        this.threads = threads;
        this.launch = launch;
        this.level = command.level();
        this.maxResidentBytes = (options.maxResidentMb() == 0 ? command.maxMemoryMb() : options.maxResidentMb()) * MIB;
    }

    /**
     * Waits for a worker. The caller must {@linkplain #release release} it, or report it {@linkplain #lost lost}.
     *
     * @throws BridgeException if no worker becomes available
     */
    Lease acquire() throws InterruptedException {
        var waiter = enqueue();
        try {
            return waiter.get(options.maxWait().toNanos(), TimeUnit.NANOSECONDS);
        } catch (TimeoutException late) {
            if (leaveQueue(waiter)) {
                throw WorkerErrors.waitedTooLong(options.most(), options.maxWait());
            }
        } catch (InterruptedException cancelled) {
            if (!leaveQueue(waiter) && !waiter.isCompletedExceptionally()) {
                release(waiter.join(), true);
            }
            throw cancelled;
        } catch (ExecutionException rejected) {
            // Thrown below.
        }
        return completed(waiter);
    }

    private CompletableFuture<Lease> enqueue() {
        lock.lock();
        try {
            requireCapacity();
            var waiter = new CompletableFuture<Lease>();
            waiters.add(waiter);
            serveWaiters();
            startMissing();
            return waiter;
        } finally {
            lock.unlock();
        }
    }

    @GuardedBy("lock")
    private void requireCapacity() {
        if (isClosed) {
            throw WorkerErrors.closed(Delivery.NOT_SENT);
        }
        idle.removeIf(worker -> !worker.isAlive());
        if (isWithoutWorkers() && backoff.remaining().toNanos() > 0) {
            throw WorkerErrors.cannotStart(backoff.reason);
        }
        // A call for which a worker is idle, starting or allowed to start does not count as waiting.
        if (waiters.size() - (options.most() - busy.size()) >= options.maxWaiting()) {
            throw WorkerErrors.queueFull(options.most(), options.maxWaiting());
        }
    }

    @GuardedBy("lock")
    private boolean isWithoutWorkers() {
        return idle.isEmpty() && busy.isEmpty() && starting == 0;
    }

    /** Removes a waiter; false if it already has its worker or its rejection. */
    private boolean leaveQueue(CompletableFuture<Lease> waiter) {
        lock.lock();
        try {
            return waiters.removeIf(each -> each == waiter);
        } finally {
            lock.unlock();
        }
    }

    private static Lease completed(CompletableFuture<Lease> waiter) {
        try {
            return waiter.join();
        } catch (CompletionException rejected) {
            throw rejected.getCause() instanceof BridgeException cause ? cause : new IllegalStateException(rejected);
        }
    }

    @GuardedBy("lock")
    private void serveWaiters() {
        while (!idle.isEmpty() && !waiters.isEmpty()) {
            var lease = idle.pop().lease();
            busy.add(lease);
            waiters.remove().complete(lease);
        }
    }

    @GuardedBy("lock")
    private void rejectWaiters(BridgeException why) {
        waiters.forEach(waiter -> waiter.completeExceptionally(why));
        waiters.clear();
    }

    /** Starts the missing workers, unless the back-off delays the next start. */
    @GuardedBy("lock")
    private void startMissing() {
        var capacity = options.most() - idle.size() - busy.size() - starting;
        var wanted = options.warm() + waiters.size() - idle.size() - starting;
        var missing = Math.min(capacity, wanted);
        if (isClosed || missing <= 0 || backoff.remaining().toNanos() > 0) {
            return;
        }
        // While starts fail, try one at a time.
        var count = backoff.reason.isEmpty() ? missing : Math.min(missing, 1 - starting);
        for (int i = 0; i < count; i++) {
            if (!beginStart()) {
                return;
            }
        }
    }

    /** Starts a worker on a pool thread. A lack of threads counts as a failed start and does not fail the call. */
    @GuardedBy("lock")
    private boolean beginStart() {
        try {
            threads.run(this::start);
            starting++;
            return true;
        } catch (OutOfMemoryError noThread) {
            delayStarts("no thread for it: " + noThread.getMessage());
            return false;
        }
    }

    /** Handles a failed or useless start: the next one follows after the back-off. */
    @GuardedBy("lock")
    private void delayStarts(String why) {
        backoff.onFailure(why);
        var unused = threads.later(backoff.remaining(), this::evict);
    }

    /** Starts a worker; runs on a thread of the pool. */
    private void start() {
        Worker worker;
        try {
            worker = launch.call();
        } catch (Throwable failed) {
            // The outermost frame of a start: every failure has to reach the waiters.
            onStartFailed(String.valueOf(failed.getMessage()));
            return;
        }
        if (!onStarted(worker)) {
            worker.kill();
        }
        worker.onExit(() -> threads.run(() -> onExit(worker)));
    }

    /** Adds a started worker; false if the group is closed. */
    private boolean onStarted(Worker worker) {
        lock.lock();
        try {
            starting--;
            backoff.onSuccess();
            if (!isClosed) {
                idle.push(worker);
                serveWaiters();
                startMissing();
            }
            return !isClosed;
        } finally {
            lock.unlock();
        }
    }

    private void onStartFailed(String why) {
        lock.lock();
        try {
            starting--;
            if (isClosed) {
                return;
            }
            delayStarts(why);
            if (isWithoutWorkers()) {
                rejectWaiters(WorkerErrors.cannotStart(why));
            }
            startMissing();
        } finally {
            lock.unlock();
        }
    }

    /** Removes a worker whose process has ended; if it ran a call, its caller reports it lost. */
    private void onExit(Worker worker) {
        lock.lock();
        try {
            if (idle.remove(worker) && worker.age().compareTo(STABLE_AGE) < 0) {
                delayStarts("a worker ended before it had a call");
            }
            startMissing();
        } finally {
            lock.unlock();
        }
        worker.kill();
    }

    /** Takes a worker back after a call, or replaces it. */
    void release(Lease lease, WorkerResponse response) {
        release(lease, !isWornOut(lease.worker(), response));
    }

    /** Whether to replace a worker: it is at a limit of its use, or leftovers of a call might disturb the next one. */
    private boolean isWornOut(Worker worker, WorkerResponse response) {
        return worker.calls() >= options.maxCalls()
                || isTooOld(worker)
                || response.residentBytes() > maxResidentBytes
                || !response.leftBehind().isEmpty();
    }

    private boolean isTooOld(Worker worker) {
        return worker.age().compareTo(options.maxAge()) > 0;
    }

    private void release(Lease lease, boolean isReusable) {
        lock.lock();
        try {
            // The exit of a leased worker is not handled by onExit.
            if (isReusable && !isClosed && lease.worker().isAlive() && busy.remove(lease)) {
                idle.push(lease.worker());
                serveWaiters();
                return;
            }
        } finally {
            lock.unlock();
        }
        end(lease);
    }

    private void end(Lease lease) {
        threads.run(() -> {
            try {
                lease.worker().end();
            } finally {
                lost(lease);
            }
        });
    }

    /** Drops a worker that has ended, or was killed. */
    void lost(Lease lease) {
        lock.lock();
        try {
            busy.remove(lease);
            startMissing();
        } finally {
            lock.unlock();
        }
    }

    /** Ends idle workers that are too old or were not needed recently, and starts missing ones. */
    void evict() {
        lock.lock();
        try {
            var spare = idle.size() - options.warm();
            for (var it = idle.descendingIterator(); it.hasNext(); ) {
                var worker = it.next();
                if (isTooOld(worker) || (spare > 0 && worker.idleTime().compareTo(MAX_SPARE_IDLE) > 0)) {
                    it.remove();
                    var lease = worker.lease();
                    busy.add(lease);
                    end(lease);
                    spare--;
                }
            }
            startMissing();
        } finally {
            lock.unlock();
        }
    }

    /** Kills all workers and rejects the waiting calls; does not wait for the end of the workers. */
    void close() {
        lock.lock();
        try {
            isClosed = true;
            rejectWaiters(WorkerErrors.closed(Delivery.NOT_SENT));
            busy.forEach(lease -> lease.terminate(Lease.Reason.POOL_CLOSED));
            idle.forEach(worker -> threads.run(worker::kill));
            idle.clear();
        } finally {
            lock.unlock();
        }
    }

    /** The sandbox level of its workers. */
    SandboxLevel level() {
        return level;
    }

    PoolState state() {
        lock.lock();
        try {
            return new PoolState(idle.size(), busy.size(), starting, waiters.size(), backoff.reason);
        } finally {
            lock.unlock();
        }
    }

    /** The increasing delays between failed starts. Guarded by the lock of the group. */
    private static final class StartBackoff {
        private static final JitteredBackoff PAUSE =
                new JitteredBackoff(Duration.ofMillis(200), Duration.ofSeconds(30));

        private int failures;
        private long until;

        /** The error of the last start; empty if it succeeded. */
        private String reason = "";

        private void onFailure(String why) {
            reason = why;
            failures++;
            until = System.nanoTime()
                    + PAUSE.after(failures, ThreadLocalRandom.current()).toNanos();
        }

        private void onSuccess() {
            failures = 0;
            reason = "";
        }

        /** The time until the next start; zero or less if a start is allowed now. */
        private Duration remaining() {
            return failures == 0 ? Duration.ZERO : Duration.ofNanos(until - System.nanoTime());
        }
    }
}
