package io.mcpbridge.sandbox.worker;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.mcpbridge.failure.BridgeException;
import io.mcpbridge.failure.Delivery;
import io.mcpbridge.sandbox.worker.internal.frame.Report;
import io.mcpbridge.spi.SandboxLevel;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The workers with one memory limit: those that wait, those that run a call, and the calls that wait for one.
 *
 * <p>Calls are served in the order in which they came; of idle workers the one is taken that was used last. New ones are
 * started on the pool's threads. Any thread may use it.
 */
final class WorkerGroup {
    private static final long MIB = 1 << 20;
    private static final Duration STARTED_WELL = Duration.ofSeconds(2);

    private final WorkerOptions options;
    private final PoolThreads threads;
    private final Callable<Worker> start;
    private final Retirement retirement;
    private final SandboxLevel level;
    private final ReentrantLock lock = new ReentrantLock();

    @GuardedBy("lock")
    private final Deque<Worker> idle = new ArrayDeque<>();

    @GuardedBy("lock")
    private final Map<Worker, Guard> busy = new HashMap<>();

    @GuardedBy("lock")
    private final Queue<CompletableFuture<Worker>> waiting = new ArrayDeque<>();

    @GuardedBy("lock")
    private final Damper damper = new Damper();

    @GuardedBy("lock")
    private int starting;

    @GuardedBy("lock")
    private boolean isRefillDue;

    @GuardedBy("lock")
    private boolean isClosed;

    WorkerGroup(WorkerOptions options, WorkerCommand command, PoolThreads threads, Callable<Worker> start) {
        this.options = options;
        this.threads = threads;
        this.start = start;
        this.retirement = Retirement.of(options, command.maxMemoryMb() * MIB);
        this.level = command.level();
    }

    /**
     * Waits for a worker, which has to be {@linkplain #give given back} or reported {@linkplain #lost lost}.
     *
     * @throws BridgeException if none comes
     */
    Worker take() throws InterruptedException {
        var place = enter();
        try {
            return place.get(options.maxWait().toNanos(), TimeUnit.NANOSECONDS);
        } catch (TimeoutException late) {
            if (leave(place)) {
                throw Failures.waitedTooLong(options.most(), options.maxWait());
            }
            return place.join();
        } catch (InterruptedException withdrawn) {
            if (!leave(place) && !place.isCompletedExceptionally()) {
                giveUnused(place.join());
            }
            throw withdrawn;
        } catch (ExecutionException refused) {
            throw refused.getCause() instanceof BridgeException told ? told : new IllegalStateException(refused);
        }
    }

    private CompletableFuture<Worker> enter() {
        lock.lock();
        try {
            requireRoom();
            var place = new CompletableFuture<Worker>();
            waiting.add(place);
            serve();
            refill();
            return place;
        } finally {
            lock.unlock();
        }
    }

    @GuardedBy("lock")
    private void requireRoom() {
        if (isClosed) {
            throw Failures.closed(Delivery.NOT_SENT);
        }
        idle.removeIf(worker -> !worker.isAlive());
        if (isForsaken() && damper.rest().toNanos() > 0) {
            throw Failures.cannotStart(damper.trouble());
        }
        // Who gets one that is there, or that may still be started, does not wait for others.
        if (waiting.size() - (options.most() - busy.size()) >= options.maxWaiting()) {
            throw Failures.crowdedOut(options.most(), options.maxWaiting());
        }
    }

    @GuardedBy("lock")
    private boolean isForsaken() {
        return idle.isEmpty() && busy.isEmpty() && starting == 0;
    }

    private boolean leave(CompletableFuture<Worker> place) {
        lock.lock();
        try {
            return waiting.removeIf(each -> each == place);
        } finally {
            lock.unlock();
        }
    }

    /** Idle workers to those who wait. */
    @GuardedBy("lock")
    private void serve() {
        while (!idle.isEmpty() && !waiting.isEmpty()) {
            var worker = idle.pop();
            busy.put(worker, new Guard(worker, threads));
            waiting.remove().complete(worker);
        }
    }

    /** Starts what is missing, now or when the time for another try has come. */
    @GuardedBy("lock")
    private void refill() {
        var room = options.most() - idle.size() - busy.size() - starting;
        var missing = Math.min(room, options.warm() + waiting.size() - idle.size() - starting);
        if (isClosed || missing <= 0) {
            return;
        }
        var rest = damper.rest();
        if (rest.toNanos() > 0) {
            refillIn(rest);
            return;
        }
        // As long as starts fail, one at a time is enough to see whether they still do.
        var many = damper.trouble().isEmpty() ? missing : Math.min(missing, 1 - starting);
        for (int i = 0; i < many; i++) {
            starting++;
            threads.run(this::startOne);
        }
    }

    @GuardedBy("lock")
    private void refillIn(Duration rest) {
        if (!isRefillDue) {
            isRefillDue = true;
            var unused = threads.later(rest, this::refillNow);
        }
    }

    private void refillNow() {
        lock.lock();
        try {
            isRefillDue = false;
            refill();
        } finally {
            lock.unlock();
        }
    }

    private void startOne() {
        try {
            var worker = start.call();
            if (!add(worker)) {
                worker.kill();
            }
            worker.onExit(() -> threads.run(() -> ended(worker)));
        } catch (Exception failed) {
            // The outermost frame of a start: whatever goes wrong, those who wait are told.
            startFailed(String.valueOf(failed.getMessage()));
        }
    }

    private boolean add(Worker worker) {
        lock.lock();
        try {
            starting--;
            damper.succeeded();
            if (!isClosed) {
                idle.push(worker);
                serve();
                refill();
            }
            return !isClosed;
        } finally {
            lock.unlock();
        }
    }

    private void startFailed(String why) {
        lock.lock();
        try {
            starting--;
            if (isClosed) {
                return;
            }
            damper.failed(why);
            if (isForsaken()) {
                turnAway(Failures.cannotStart(why));
            }
            refill();
        } finally {
            lock.unlock();
        }
    }

    @GuardedBy("lock")
    private void turnAway(BridgeException why) {
        waiting.forEach(place -> place.completeExceptionally(why));
        waiting.clear();
    }

    /** A process has ended; one that ran a call is told of by its caller. */
    private void ended(Worker worker) {
        lock.lock();
        try {
            if (idle.remove(worker) && worker.age().compareTo(STARTED_WELL) < 0) {
                damper.failed("a worker ended before it had a call");
            }
            refill();
        } finally {
            lock.unlock();
        }
        worker.kill();
    }

    /** What ends a call of this worker, which was taken. */
    Guard guard(Worker worker) {
        lock.lock();
        try {
            // One that is not known any more was ended when the pool was closed.
            return busy.getOrDefault(worker, new Guard(worker, threads));
        } finally {
            lock.unlock();
        }
    }

    /** Its call has ended, and it may run another one. */
    void give(Worker worker, Report report) {
        release(worker, retirement.isDue(worker, report));
    }

    /** It has not run a call. */
    private void giveUnused(Worker worker) {
        release(worker, false);
    }

    private void release(Worker worker, boolean isUsedUp) {
        var isOver = isUsedUp;
        lock.lock();
        try {
            isOver |= busy.remove(worker) == null || isClosed;
            if (!isOver) {
                idle.push(worker);
                serve();
            }
            refill();
        } finally {
            lock.unlock();
        }
        if (isOver) {
            threads.run(worker::retire);
        }
    }

    /** It has ended, or was ended, in the middle of a call. */
    void lost(Worker worker) {
        lock.lock();
        try {
            busy.remove(worker);
            refill();
        } finally {
            lock.unlock();
        }
    }

    /** Called now and then: ends idle workers that are too old, or that nobody has needed for a while. */
    void tidy() {
        var old = new ArrayList<Worker>();
        lock.lock();
        try {
            var spare = idle.size() - options.warm();
            for (var it = idle.descendingIterator(); it.hasNext(); ) {
                var worker = it.next();
                if (retirement.isDueIdle(worker, spare > 0)) {
                    it.remove();
                    old.add(worker);
                    spare--;
                }
            }
            refill();
        } finally {
            lock.unlock();
        }
        old.forEach(worker -> threads.run(worker::retire));
    }

    /** Ends all workers, and the calls that run or wait; does not wait for the end. */
    void close() {
        List<Worker> unused;
        List<Guard> guards;
        lock.lock();
        try {
            isClosed = true;
            turnAway(Failures.closed(Delivery.NOT_SENT));
            unused = List.copyOf(idle);
            guards = List.copyOf(busy.values());
            idle.clear();
        } finally {
            lock.unlock();
        }
        guards.forEach(guard -> guard.cut(Cut.CLOSED));
        unused.forEach(worker -> threads.run(worker::kill));
    }

    /** How firmly its workers are held. */
    SandboxLevel level() {
        return level;
    }

    /** How many there are of each kind. */
    PoolState state() {
        lock.lock();
        try {
            return new PoolState(idle.size(), busy.size(), starting, waiting.size(), damper.trouble());
        } finally {
            lock.unlock();
        }
    }
}
