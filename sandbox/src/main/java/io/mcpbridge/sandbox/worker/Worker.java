package io.mcpbridge.sandbox.worker;

import io.mcpbridge.sandbox.worker.internal.frame.BadFrameException;
import io.mcpbridge.sandbox.worker.internal.frame.Frame;
import io.mcpbridge.sandbox.worker.internal.frame.Frame.Kind;
import io.mcpbridge.sandbox.worker.internal.frame.Report;
import io.mcpbridge.sandbox.worker.internal.mark.WorkerMark;
import io.mcpbridge.spi.ChildProcess;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A worker process, as the pool sees it. One call at a time, whose caller waits for the answer; any thread may end it, and
 * that wakes the caller.
 *
 * <p>Pipes are written and read on a thread of the pool: a process that a tool has left behind can hold them open when the
 * worker is gone, and that thread cannot be woken.
 */
final class Worker {
    /** How long a process that has closed its output may take until its exit code is known. */
    private static final Duration EXIT_GRACE = Duration.ofSeconds(1);

    /** How long an answer may take that was on its way when the worker was killed. */
    private static final Duration ANSWER_GRACE = Duration.ofMillis(200);

    private final ChildProcess child;
    private final LastWords lastWords;
    private final PoolThreads threads;
    private final Optional<WorkerMark> mark;
    private final long begun = System.nanoTime();
    private final AtomicInteger calls = new AtomicInteger();
    private volatile long idleSince = begun;
    private volatile CompletableFuture<Optional<Frame>> expected = CompletableFuture.completedFuture(Optional.empty());
    private volatile boolean isKilled;

    /** @param mark by which those are found who outlive it; empty where nobody does */
    Worker(ChildProcess child, LastWords lastWords, PoolThreads threads, Optional<WorkerMark> mark) {
        this.child = child;
        this.lastWords = lastWords;
        this.threads = threads;
        this.mark = mark;
    }

    /** An answer and what came with it. */
    record Answer(Kind kind, Report report) {}

    /** Waits for the word that a new worker has started. */
    void awaitHello() throws WorkerLostException, InterruptedException {
        try {
            var hello = exchange(() -> Frame.readFrom(child.stdout(), 0));
            if (hello.isPresent() && hello.get().kind() == Kind.HELLO) {
                return;
            }
        } catch (BadFrameException garbage) {
            throw new WorkerLostException(disturbed(garbage));
        } catch (IOException gone) {
            // As good as the end of its output.
        }
        throw new WorkerLostException(howItEnded());
    }

    /**
     * Has an order run and waits for its answer.
     *
     * @param order as it was written
     * @throws WorkerLostException if none comes; the worker is of no use then, and may still be there
     */
    Answer run(ByteBuffer order, int mostBytes) throws WorkerLostException, InterruptedException {
        var number = ThreadLocalRandom.current().nextLong();
        calls.incrementAndGet();
        lastWords.begin(number);
        try {
            var call = new Frame(Kind.CALL, number, order);
            var frame = exchange(() -> answer(call, mostBytes));
            if (frame.isPresent()) {
                return answer(frame.get(), number);
            }
        } catch (BadFrameException garbage) {
            throw new WorkerLostException(disturbed(garbage));
        } catch (IOException gone) {
            // As good as the end of its output.
        } finally {
            idleSince = System.nanoTime();
        }
        throw new WorkerLostException(howItEnded());
    }

    private Optional<Frame> answer(Frame call, int mostBytes) throws IOException {
        // What lies there already is no answer to what was not asked yet.
        if (child.stdout().available() > 0) {
            throw new BadFrameException("something between two calls");
        }
        call.writeTo(child.stdin());
        return Frame.readFrom(child.stdout(), mostBytes + Report.BESIDE_VALUE);
    }

    /** Waits until the pipes have brought something, or nobody can say any more that they will. */
    private Optional<Frame> exchange(Callable<Optional<Frame>> talk) throws IOException, InterruptedException {
        var frame = new CompletableFuture<Optional<Frame>>();
        expected = frame;
        if (isKilled) {
            return Optional.empty();
        }
        threads.run(() -> complete(frame, talk));
        try {
            return frame.get();
        } catch (ExecutionException failed) {
            throw failed.getCause() instanceof IOException broken ? broken : new IOException(failed.getCause());
        }
    }

    private static void complete(CompletableFuture<Optional<Frame>> frame, Callable<Optional<Frame>> talk) {
        try {
            frame.complete(talk.call());
        } catch (Throwable failed) {
            // The outermost frame of an exchange: somebody waits, whatever goes wrong.
            frame.completeExceptionally(failed);
        }
    }

    private static Answer answer(Frame frame, long number) throws BadFrameException {
        var isAnswer = frame.kind() == Kind.DONE || frame.kind() == Kind.FAILED || frame.kind() == Kind.TOO_LARGE;
        if (!isAnswer || frame.number() != number) {
            throw new BadFrameException("an answer that belongs to no call");
        }
        return new Answer(frame.kind(), Report.read(frame.payload()));
    }

    /** A virtual machine that breaks down writes to standard output too, so its end tells more. */
    private String disturbed(BadFrameException garbage) throws InterruptedException {
        var code = exitCode();
        var what = code.isPresent()
                ? ExitWords.of(code.getAsInt())
                : "the answer was disturbed, since tools may write to System.out only";
        return "%s; on standard output there was %s".formatted(what, garbage.getMessage());
    }

    private String howItEnded() throws InterruptedException {
        var code = exitCode();
        var words = code.isPresent()
                ? ExitWords.of(code.getAsInt())
                : "the worker closed its standard output, which answers need";
        var last = lastWords.text();
        return last.isEmpty() ? words : "%s; its last words: %s".formatted(words, last);
    }

    private OptionalInt exitCode() throws InterruptedException {
        try {
            return OptionalInt.of(child.onExit().toCompletableFuture().get(EXIT_GRACE.toNanos(), TimeUnit.NANOSECONDS));
        } catch (TimeoutException | ExecutionException stillThere) {
            return OptionalInt.empty();
        }
    }

    /** Ends it and all that it started, at once; waits until they are gone. */
    void kill() {
        isKilled = true;
        child.end(Duration.ZERO);
        mark.ifPresent(WorkerMark::endBearers);
        giveUp();
    }

    /** The pipes have come to their end with the process, unless another one holds them. */
    private void giveUp() {
        var last = expected;
        try {
            last.get(ANSWER_GRACE.toNanos(), TimeUnit.NANOSECONDS);
        } catch (TimeoutException | ExecutionException none) {
            // Then it will not come.
        } catch (InterruptedException hurried) {
            Thread.currentThread().interrupt();
        }
        last.complete(Optional.empty());
    }

    /** Ends it between two calls: it goes by itself when its input ends. */
    void retire() {
        child.end(EXIT_GRACE);
        mark.ifPresent(WorkerMark::endBearers);
    }

    /** Lets it end as programs do, and waits for that; returns whether it did. */
    boolean finish(Duration patience) throws InterruptedException {
        try {
            child.stdin().close();
            return child.onExit().toCompletableFuture().get(patience.toNanos(), TimeUnit.NANOSECONDS) == 0;
        } catch (IOException | TimeoutException | ExecutionException stuck) {
            return false;
        }
    }

    /** Runs {@code action} when the process has ended. */
    void onExit(Runnable action) {
        child.onExit().thenRun(action);
    }

    boolean isAlive() {
        return !child.onExit().toCompletableFuture().isDone();
    }

    long pid() {
        return child.pid();
    }

    int calls() {
        return calls.get();
    }

    Duration age() {
        return Duration.ofNanos(System.nanoTime() - begun);
    }

    Duration idleTime() {
        return Duration.ofNanos(System.nanoTime() - idleSince);
    }
}
