package io.mcpbridge.sandbox.worker;

import io.mcpbridge.sandbox.worker.internal.frame.BadFrameException;
import io.mcpbridge.sandbox.worker.internal.frame.Frame;
import io.mcpbridge.sandbox.worker.internal.frame.Frame.Kind;
import io.mcpbridge.sandbox.worker.internal.frame.Report;
import io.mcpbridge.spi.ChildProcess;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.OptionalInt;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A worker process, as the pool sees it. One call at a time, on the thread of the caller, which waits for the answer;
 * any thread may end it, and that wakes the caller.
 */
final class Worker {
    /** How long a process that has closed its output may take until its exit code is known. */
    private static final Duration EXIT_GRACE = Duration.ofSeconds(1);

    private final ChildProcess child;
    private final LastWords lastWords;
    private final long begun = System.nanoTime();
    private final AtomicInteger calls = new AtomicInteger();
    private volatile long idleSince = begun;

    Worker(ChildProcess child, LastWords lastWords) {
        this.child = child;
        this.lastWords = lastWords;
    }

    /** An answer and what came with it. */
    record Answer(Kind kind, Report report) {}

    /** Waits for the word that a new worker has started. */
    void awaitHello() throws WorkerLostException, InterruptedException {
        try {
            var hello = Frame.readFrom(child.stdout(), 0);
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
            // What lies there already is no answer to what was not asked yet.
            if (child.stdout().available() > 0) {
                throw new BadFrameException("something between two calls");
            }
            new Frame(Kind.CALL, number, order).writeTo(child.stdin());
            var frame = Frame.readFrom(child.stdout(), mostBytes + Report.BESIDE_VALUE);
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
        child.end(Duration.ZERO);
    }

    /** Ends it between two calls: it goes by itself when its input ends. */
    void retire() {
        child.end(EXIT_GRACE);
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
