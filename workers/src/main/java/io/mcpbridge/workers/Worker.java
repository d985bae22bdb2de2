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
 * The pool's side of one worker process. It runs one call at a time, and the caller blocks for the response. Any thread
 * may kill the worker, which wakes the caller.
 *
 * <p>A thread of the pool writes and reads the pipes: a process that a tool has left behind can hold them open after
 * the end of the worker, and a blocked read cannot be interrupted.
 */
final class Worker {
    /** The time to wait for the exit code of a process that has closed its output. */
    private static final Duration EXIT_GRACE = Duration.ofSeconds(1);

    /** The time to wait for a response that was already under way when the worker was killed. */
    private static final Duration RESPONSE_GRACE = Duration.ofMillis(200);

    private static final int EXIT_OUT_OF_MEMORY = 3;
    private static final int EXIT_KILLED = 128 + 9;
    private static final int EXIT_TERMINATED = 128 + 15;

    private final ChildProcess child;
    private final StderrTail stderr;
    private final PoolExecutors threads;
    private final Optional<WorkerMark> mark;
    private final long begunAt = System.nanoTime();
    private final AtomicInteger calls = new AtomicInteger();
    private volatile long idleSince = begunAt;
    private volatile CompletableFuture<Optional<WorkerResponse>> pending =
            CompletableFuture.completedFuture(Optional.empty());
    private volatile boolean isKilled;

    /** @param mark finds the processes that outlive the worker; empty if none can */
    Worker(ChildProcess child, StderrTail stderr, PoolExecutors threads, Optional<WorkerMark> mark) {
        this.child = child;
        this.stderr = stderr;
        this.threads = threads;
        this.mark = mark;
    }

    /** Waits until a new worker has started. */
    void awaitStart() throws LostException, InterruptedException {
        var started = exchange(() -> WorkerResponse.read(child.stdout(), 0));
        if (started.status() != Status.STARTED) {
            throw new LostException(malformedOutput("a response to no request"));
        }
    }

    /**
     * Runs a call and waits for its response.
     *
     * @throws LostException if there is no valid response; the worker is then unusable, and may still run
     */
    WorkerResponse run(WorkerRequest request) throws LostException, InterruptedException {
        calls.incrementAndGet();
        stderr.beginCall(request.id());
        try {
            var line = request.toLine();
            var response = exchange(() -> respond(line, request.maxResultBytes()));
            if (response.status() == Status.STARTED || response.id() != request.id()) {
                throw new LostException(malformedOutput("a response to no request"));
            }
            return response;
        } finally {
            idleSince = System.nanoTime();
        }
    }

    private Optional<WorkerResponse> respond(byte[] request, int maxResultBytes) throws IOException {
        // Bytes that arrived before the request was sent cannot be its response.
        if (child.stdout().available() > 0) {
            throw new MalformedMessageException("something between two calls");
        }
        child.stdin().write(request);
        child.stdin().flush();
        return WorkerResponse.read(child.stdout(), maxResultBytes);
    }

    /** Waits until the response has arrived, or the worker is killed. */
    private WorkerResponse exchange(Callable<Optional<WorkerResponse>> exchange)
            throws LostException, InterruptedException {
        var response = new CompletableFuture<Optional<WorkerResponse>>();
        pending = response;
        if (isKilled) {
            throw new LostException(endMessage());
        }
        threads.run(() -> complete(response, exchange));
        try {
            var received = response.get();
            if (received.isPresent()) {
                return received.get();
            }
        } catch (ExecutionException failed) {
            if (failed.getCause() instanceof MalformedMessageException malformed) {
                throw new LostException(malformedOutput(String.valueOf(malformed.getMessage())));
            }
            // A broken pipe means the same as the end of the output: the worker has ended.
        }
        throw new LostException(endMessage());
    }

    private static void complete(
            CompletableFuture<Optional<WorkerResponse>> response, Callable<Optional<WorkerResponse>> exchange) {
        try {
            response.complete(exchange.call());
        } catch (Throwable failed) {
            // The outermost frame of an exchange: every failure has to wake the caller.
            response.completeExceptionally(failed);
        }
    }

    /**
     * The message for malformed output. A crashing virtual machine writes to standard output too, so its exit code says
     * more.
     */
    private String malformedOutput(String found) throws InterruptedException {
        var code = exitCode();
        var what = code.isPresent()
                ? exitMessage(code.getAsInt())
                : "the response was disturbed; tools may write to System.out only";
        return "%s; on standard output there was %s".formatted(what, found);
    }

    private String endMessage() throws InterruptedException {
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

    /** Kills the worker and all processes that it started; waits until they have ended. */
    void kill() {
        isKilled = true;
        child.end(Duration.ZERO);
        mark.ifPresent(WorkerMark::killAll);
        abandonPending();
    }

    /** Abandons a pending response. The pipes end with the process, unless another process holds them open. */
    private void abandonPending() {
        var last = pending;
        try {
            last.get(RESPONSE_GRACE.toNanos(), TimeUnit.NANOSECONDS);
        } catch (TimeoutException | ExecutionException none) {
            // The response will not come any more.
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
        last.complete(Optional.empty());
    }

    /** Ends the worker between two calls: it exits by itself when its input ends. */
    void end() {
        child.end(EXIT_GRACE);
        mark.ifPresent(WorkerMark::killAll);
    }

    /** Leases the worker for one call. */
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
     * The use of the worker for one call. It kills the worker for the first reason that occurs, and never after the end
     * of the call. Any thread may use it.
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

        /** Kills the worker, unless the call has ended. Does not block. */
        void terminate(Reason reason) {
            if (outcome.compareAndSet(null, reason)) {
                threads.run(Worker.this::kill);
            }
        }

        /** Kills the worker after a delay, unless the returned task is cancelled. */
        Future<?> terminateAfter(Duration time) {
            return threads.later(time, () -> terminate(Reason.TIMED_OUT));
        }

        /** Records that the call has ended by itself; false if its worker was killed before. */
        boolean complete() {
            return outcome.compareAndSet(null, this);
        }

        /** The reason for which the worker was killed; empty if it was not. */
        Optional<Reason> reason() {
            return outcome.get() instanceof Reason reason ? Optional.of(reason) : Optional.empty();
        }
    }

    /** Thrown if a worker ended during a call or is unusable; the message has the cause. */
    static final class LostException extends Exception {
        private static final long serialVersionUID = 1L;

        LostException(String message) {
            super(message);
        }
    }
}
