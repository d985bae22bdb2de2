package io.mcpbridge.workers;

import io.mcpbridge.spi.ChildProcess;
import io.mcpbridge.workers.internal.frame.MalformedMessageException;
import io.mcpbridge.workers.internal.frame.WorkerRequest;
import io.mcpbridge.workers.internal.frame.WorkerResponse;
import io.mcpbridge.workers.internal.frame.WorkerResponse.Status;
import io.mcpbridge.workers.internal.mark.WorkerMark;
import java.io.IOException;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * A worker process, as the pool sees it. It runs one call at a time, whose caller waits for the response; any thread
 * may kill it, which wakes the caller.
 *
 * <p>Pipes are written and read on a thread of the pool: a process that a tool has left behind can hold them open when
 * the worker is gone, and that thread cannot be woken.
 */
final class Worker {
    /** How long a process that has closed its output may take until its exit code is known. */
    private static final Duration EXIT_GRACE = Duration.ofSeconds(1);

    /** How long a response may take that was on its way when the worker was killed. */
    private static final Duration RESPONSE_GRACE = Duration.ofMillis(200);

    private static final int EXIT_OUT_OF_MEMORY = 3;
    private static final int EXIT_KILLED = 128 + 9;
    private static final int EXIT_TERMINATED = 128 + 15;

    private final ChildProcess child;
    private final StderrTail stderr;
    private final PoolThreads threads;
    private final Optional<WorkerMark> mark;
    private final long begunAt = System.nanoTime();
    private final AtomicInteger calls = new AtomicInteger();
    private volatile long idleSince = begunAt;
    private volatile CompletableFuture<Optional<WorkerResponse>> pending =
            CompletableFuture.completedFuture(Optional.empty());
    private volatile boolean isKilled;

    /** @param mark finds the processes that outlive the worker; empty if none can */
    Worker(ChildProcess child, StderrTail stderr, PoolThreads threads, Optional<WorkerMark> mark) {
        this.child = child;
        this.stderr = stderr;
        this.threads = threads;
        this.mark = mark;
    }

    /** Waits until a new worker has started. */
    void awaitStart() throws LostException, InterruptedException {
        var started = exchange(() -> WorkerResponse.read(child.stdout(), 0));
        if (started.status() != Status.STARTED) {
            throw new LostException(disturbed("a response to no request"));
        }
    }

    /**
     * Runs a call and waits for its response.
     *
     * @throws LostException if none comes; the worker is of no use then, and may still run
     */
    WorkerResponse run(WorkerRequest request) throws LostException, InterruptedException {
        calls.incrementAndGet();
        stderr.beginCall(request.id());
        try {
            var line = request.toLine();
            var response = exchange(() -> respond(line, request.maxResultBytes()));
            if (response.status() == Status.STARTED || response.id() != request.id()) {
                throw new LostException(disturbed("a response to no request"));
            }
            return response;
        } finally {
            idleSince = System.nanoTime();
        }
    }

    private Optional<WorkerResponse> respond(byte[] request, int maxResultBytes) throws IOException {
        // Bytes that arrived already do not answer a request that was not sent yet.
        if (child.stdout().available() > 0) {
            throw new MalformedMessageException("something between two calls");
        }
        child.stdin().write(request);
        child.stdin().flush();
        return WorkerResponse.read(child.stdout(), maxResultBytes);
    }

    /** Waits until the pipes have brought a response, or the worker is killed. */
    private WorkerResponse exchange(Callable<Optional<WorkerResponse>> exchange)
            throws LostException, InterruptedException {
        var response = new CompletableFuture<Optional<WorkerResponse>>();
        pending = response;
        if (isKilled) {
            throw new LostException(howItEnded());
        }
        threads.run(() -> complete(response, exchange));
        try {
            var received = response.get();
            if (received.isPresent()) {
                return received.get();
            }
        } catch (ExecutionException failed) {
            if (failed.getCause() instanceof MalformedMessageException malformed) {
                throw new LostException(disturbed(String.valueOf(malformed.getMessage())));
            }
            // A broken pipe means the same as the end of the output.
        }
        throw new LostException(howItEnded());
    }

    private static void complete(
            CompletableFuture<Optional<WorkerResponse>> response, Callable<Optional<WorkerResponse>> exchange) {
        try {
            response.complete(exchange.call());
        } catch (Throwable failed) {
            // The outermost frame of an exchange: the caller waits, whatever goes wrong.
            response.completeExceptionally(failed);
        }
    }

    /** A virtual machine that breaks down writes to standard output too, so its exit code says more. */
    private String disturbed(String found) throws InterruptedException {
        var code = exitCode();
        var what = code.isPresent()
                ? exitMessage(code.getAsInt())
                : "the response was disturbed; tools may write to System.out only";
        return "%s; on standard output there was %s".formatted(what, found);
    }

    private String howItEnded() throws InterruptedException {
        var code = exitCode();
        var words = code.isPresent()
                ? exitMessage(code.getAsInt())
                : "the worker closed its standard output, which responses need";
        var last = stderr.text();
        return last.isEmpty() ? words : "%s; its last words: %s".formatted(words, last);
    }

    private OptionalInt exitCode() throws InterruptedException {
        try {
            return OptionalInt.of(child.onExit().toCompletableFuture().get(EXIT_GRACE.toNanos(), TimeUnit.NANOSECONDS));
        } catch (TimeoutException | ExecutionException running) {
            return OptionalInt.empty();
        }
    }

    private static String exitMessage(int code) {
        var meaning = switch (code) {
            case EXIT_OUT_OF_MEMORY -> ", as it does when it runs out of memory";
            case EXIT_KILLED -> ": it was killed";
            case EXIT_TERMINATED -> ": it was terminated";
            default -> "";
        };
        return "the worker ended with exit code %d%s".formatted(code, meaning);
    }

    /** Kills it and all that it started; waits until they are gone. */
    void kill() {
        isKilled = true;
        child.end(Duration.ZERO);
        mark.ifPresent(WorkerMark::killAll);
        abandonPending();
    }

    /** The pipes end with the process, unless another process holds them. */
    private void abandonPending() {
        var last = pending;
        try {
            last.get(RESPONSE_GRACE.toNanos(), TimeUnit.NANOSECONDS);
        } catch (TimeoutException | ExecutionException none) {
            // Then it will not come.
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
        last.complete(Optional.empty());
    }

    /** Ends it between two calls: it exits by itself when its input ends. */
    void end() {
        child.end(EXIT_GRACE);
        mark.ifPresent(WorkerMark::killAll);
    }

    /** Takes it for one call. */
    Lease lease() {
        return new Lease();
    }

    /** Runs {@code action} when the process has ended. */
    void onExit(Runnable action) {
        child.onExit().thenRun(action);
    }

    boolean isAlive() {
        return !child.onExit().toCompletableFuture().isDone();
    }

    int calls() {
        return calls.get();
    }

    Duration age() {
        return Duration.ofNanos(System.nanoTime() - begunAt);
    }

    Duration idleTime() {
        return Duration.ofNanos(System.nanoTime() - idleSince);
    }

    /**
     * The worker for one call. It kills the worker for the first reason that occurs, and never after the call has ended. Any
     * thread may use it.
     */
    final class Lease {
        private final AtomicReference<@Nullable Object> outcome = new AtomicReference<>();

        /** Why a worker is killed in the middle of a call. */
        enum Reason {
            TIMED_OUT,
            CANCELLED,
            POOL_CLOSED
        }

        Worker worker() {
            return Worker.this;
        }

        /** Kills the worker, unless the call has ended. Does not wait. */
        void terminate(Reason reason) {
            if (outcome.compareAndSet(null, reason)) {
                threads.run(Worker.this::kill);
            }
        }

        /** Kills the worker after a while, unless the returned task is cancelled. */
        Future<?> terminateAfter(Duration time) {
            return threads.later(time, () -> terminate(Reason.TIMED_OUT));
        }

        /** Records that the call has ended by itself; false if its worker is killed already. */
        boolean complete() {
            return outcome.compareAndSet(null, this);
        }

        /** Why the worker is killed, if it is. */
        Optional<Reason> reason() {
            return outcome.get() instanceof Reason reason ? Optional.of(reason) : Optional.empty();
        }
    }

    /** A worker ended in the middle of a call, or cannot be used any more; the message says why. */
    static final class LostException extends Exception {
        private static final long serialVersionUID = 1L;

        LostException(String message) {
            super(message);
        }
    }
}
