package io.mcpbridge.sandbox.worker;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.mcpbridge.failure.BridgeException;
import io.mcpbridge.failure.Delivery;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Which call gets which worker of a {@link WorkerGroup}, in the order in which they came, and how many workers are to be
 * started for that. Nothing waits here. Any thread may use it.
 */
final class WorkerRoom {
    private final WorkerOptions options;
    private final ReentrantLock lock = new ReentrantLock();

    @GuardedBy("lock")
    private final Crew crew;

    @GuardedBy("lock")
    private final Queue<CompletableFuture<Worker>> waiting = new ArrayDeque<>();

    @GuardedBy("lock")
    private final WorkerStarts starts;

    @GuardedBy("lock")
    private boolean isClosed;

    /** Those that are there when it closes: without a call, and what ends the others. */
    record Left(List<Worker> unused, List<Guard> guards) {}

    /** Each start runs on a thread of the pool, and ends in {@link #arrived} or {@link #missed}. */
    WorkerRoom(WorkerOptions options, PoolThreads threads, Runnable start) {
        this.options = options;
        this.crew = new Crew(threads);
        this.starts = new WorkerStarts(threads, start, this::refillAgain);
    }

    /** A place for a call, which gets a worker as soon as there is one for it. */
    CompletableFuture<Worker> enter() {
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
        crew.forgetDead();
        if (isForsaken()) {
            starts.requireHope();
        }
        // Who gets one that is there, or that may still be started, does not wait for others.
        if (waiting.size() - (options.most() - crew.busy()) >= options.maxWaiting()) {
            throw Failures.crowdedOut(options.most(), options.maxWaiting());
        }
    }

    @GuardedBy("lock")
    private boolean isForsaken() {
        return crew.size() == 0 && starts.underWay() == 0;
    }

    /** A call waits no longer; false if it has got its worker, or its refusal. */
    boolean leave(CompletableFuture<Worker> place) {
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
        while (crew.idle() > 0 && !waiting.isEmpty()) {
            waiting.remove().complete(crew.begin());
        }
    }

    /** Starts what is missing, now or when the time for another try has come. */
    @GuardedBy("lock")
    private void refill() {
        var room = options.most() - crew.size() - starts.underWay();
        var missing = Math.min(room, options.warm() + waiting.size() - crew.idle() - starts.underWay());
        if (!isClosed && missing > 0) {
            starts.order(missing);
        }
    }

    private void refillAgain() {
        lock.lock();
        try {
            starts.retried();
            refill();
        } finally {
            lock.unlock();
        }
    }

    /** A start has brought this one; false if nobody wants it any more. */
    boolean arrived(Worker worker) {
        lock.lock();
        try {
            starts.over();
            starts.succeeded();
            if (!isClosed) {
                crew.add(worker);
                serve();
                refill();
            }
            return !isClosed;
        } finally {
            lock.unlock();
        }
    }

    /** A start has come to nothing. */
    void missed(String why) {
        lock.lock();
        try {
            starts.over();
            if (isClosed) {
                return;
            }
            starts.failed(why);
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
    void died(Worker worker) {
        lock.lock();
        try {
            if (crew.died(worker)) {
                starts.endedUnused(worker);
            }
            refill();
        } finally {
            lock.unlock();
        }
    }

    /** What ends a call of this worker, which was taken. */
    Guard guard(Worker worker) {
        lock.lock();
        try {
            return crew.guard(worker);
        } finally {
            lock.unlock();
        }
    }

    /** It has no call any more, and may have another one; false if it is to end, and {@link #gone} is to be told. */
    boolean released(Worker worker) {
        lock.lock();
        try {
            var stays = crew.finish(worker) && !isClosed;
            if (stays) {
                crew.add(worker);
                serve();
            } else {
                crew.ends(1);
            }
            return stays;
        } finally {
            lock.unlock();
        }
    }

    /** It has no call any more, and is to end; it has its place until it is {@link #gone}. */
    void leaving(Worker worker) {
        lock.lock();
        try {
            var unused = crew.finish(worker);
            crew.ends(1);
        } finally {
            lock.unlock();
        }
    }

    /** One that was {@link #leaving}, or was taken out as too old, is not there any more. */
    void gone() {
        lock.lock();
        try {
            crew.gone();
            refill();
        } finally {
            lock.unlock();
        }
    }

    /** It has no call any more, and is not there any more. */
    void lost(Worker worker) {
        lock.lock();
        try {
            var unused = crew.finish(worker);
            refill();
        } finally {
            lock.unlock();
        }
    }

    /** Takes out idle workers that are too old, or that nobody has needed for a while; each is {@link #gone} later. */
    List<Worker> takeOld(Retirement retirement) {
        lock.lock();
        try {
            var old = crew.takeDue(retirement, options.warm());
            refill();
            return old;
        } finally {
            lock.unlock();
        }
    }

    /** Starts no more, and turns away all that wait. */
    Left close() {
        lock.lock();
        try {
            isClosed = true;
            turnAway(Failures.closed(Delivery.NOT_SENT));
            return new Left(crew.takeIdle(), crew.guards());
        } finally {
            lock.unlock();
        }
    }

    PoolState state() {
        lock.lock();
        try {
            return new PoolState(crew.idle(), crew.busy(), starts.underWay(), waiting.size(), starts.trouble());
        } finally {
            lock.unlock();
        }
    }
}
