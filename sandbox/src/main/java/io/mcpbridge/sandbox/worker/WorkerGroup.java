package io.mcpbridge.sandbox.worker;

import io.mcpbridge.failure.BridgeException;
import io.mcpbridge.sandbox.worker.internal.frame.Report;
import io.mcpbridge.spi.SandboxLevel;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * The workers with one memory limit: those that wait, those that run a call, and the calls that wait for one.
 *
 * <p>Does what waits, and starts and ends processes, on the pool's threads; who is where is the room's. Any thread may
 * use it.
 */
final class WorkerGroup {
    private static final long MIB = 1 << 20;

    private final WorkerOptions options;
    private final PoolThreads threads;
    private final Callable<Worker> start;
    private final Retirement retirement;
    private final SandboxLevel level;
    private final WorkerRoom room;

    WorkerGroup(WorkerOptions options, WorkerCommand command, PoolThreads threads, Callable<Worker> start) {
        this.options = options;
        this.threads = threads;
        this.start = start;
        this.retirement = Retirement.of(options, command.maxMemoryMb() * MIB);
        this.level = command.level();
        this.room = new WorkerRoom(options, threads, this::startOne);
    }

    /**
     * Waits for a worker, which has to be {@linkplain #give given back} or reported {@linkplain #lost lost}.
     *
     * @throws BridgeException if none comes
     */
    Worker take() throws InterruptedException {
        var place = room.enter();
        try {
            return place.get(options.maxWait().toNanos(), TimeUnit.NANOSECONDS);
        } catch (TimeoutException late) {
            if (room.leave(place)) {
                throw Failures.waitedTooLong(options.most(), options.maxWait());
            }
            return decided(place);
        } catch (InterruptedException withdrawn) {
            if (!room.leave(place) && !place.isCompletedExceptionally()) {
                giveUnused(place.join());
            }
            throw withdrawn;
        } catch (ExecutionException refused) {
            throw told(refused);
        }
    }

    /** What a place has got that nobody can leave any more. */
    private static Worker decided(CompletableFuture<Worker> place) {
        try {
            return place.join();
        } catch (CompletionException refused) {
            throw told(refused);
        }
    }

    private static RuntimeException told(Exception refused) {
        return refused.getCause() instanceof BridgeException told ? told : new IllegalStateException(refused);
    }

    private void startOne() {
        Worker worker;
        try {
            worker = start.call();
        } catch (Throwable failed) {
            // The outermost frame of a start: whatever goes wrong, those who wait are told.
            room.missed(String.valueOf(failed.getMessage()));
            return;
        }
        if (!room.arrived(worker)) {
            worker.kill();
        }
        worker.onExit(() -> threads.run(() -> ended(worker)));
    }

    private void ended(Worker worker) {
        room.died(worker);
        worker.kill();
    }

    /** What ends a call of this worker, which was taken. */
    Guard guard(Worker worker) {
        return room.guard(worker);
    }

    /** Its call has ended, and it may run another one. */
    void give(Worker worker, Report report) {
        if (retirement.isDue(worker, report)) {
            room.leaving(worker);
            retire(worker);
        } else {
            giveUnused(worker);
        }
    }

    /** It has not run a call, or may run another one. */
    private void giveUnused(Worker worker) {
        if (!room.released(worker)) {
            retire(worker);
        }
    }

    private void retire(Worker worker) {
        threads.run(() -> {
            try {
                worker.retire();
            } finally {
                room.gone();
            }
        });
    }

    /** It has ended, or was ended, in the middle of a call. */
    void lost(Worker worker) {
        room.lost(worker);
    }

    /** Called now and then: ends idle workers that are too old, or that nobody has needed for a while. */
    void tidy() {
        room.takeOld(retirement).forEach(this::retire);
    }

    /** Ends all workers, and the calls that run or wait; does not wait for the end. */
    void close() {
        var left = room.close();
        left.guards().forEach(guard -> guard.cut(Cut.CLOSED));
        left.unused().forEach(worker -> threads.run(worker::kill));
    }

    /** How firmly its workers are held. */
    SandboxLevel level() {
        return level;
    }

    /** How many there are of each kind. */
    PoolState state() {
        return room.state();
    }
}
