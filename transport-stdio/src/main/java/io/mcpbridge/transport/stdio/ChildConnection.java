package io.mcpbridge.transport.stdio;

import io.mcpbridge.failure.ProtocolException;
import io.mcpbridge.spi.BackgroundThreads;
import io.mcpbridge.spi.ChildProcess;
import io.mcpbridge.spi.Closed;
import io.mcpbridge.spi.Environment;
import io.mcpbridge.spi.Outgoing;
import io.mcpbridge.spi.Transport.Receiver;
import io.mcpbridge.stream.ServerLineConnection;
import java.io.IOException;
import java.io.InputStream;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.Arrays;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * Connects a running child process: its messages, the three threads of its standard streams, and its end.
 *
 * <p>Messages are written by the writer thread, or by a sender that waits for the answer anyway if the write cannot
 * block. A write may block while the child does not read; only the writer thread waits then. The end is reported after
 * all output of the child was read, so that a last answer is not lost. If an orphan of the child holds the output open,
 * the end is reported after a short grace period.
 */
final class ChildConnection {
    /**
     * How long to wait for the rest of the output after the child has ended, or for the exit after its output has
     * ended.
     */
    private static final Duration GRACE = Duration.ofMillis(500);

    private final StdioTransportSettings settings;
    private final Environment environment;
    private final ChildProcess child;
    private final PipeEstimate pipe = new PipeEstimate();
    private final PipeSink sink;
    private final ServerLineConnection lines;
    private final ChildStdout stdout;
    private final ChildStderr stderr;
    private final CountDownLatch outputEnded = new CountDownLatch(1);
    private volatile @Nullable Thread reader;
    private volatile boolean isClosing;

    /** Whether the writing thread waits for the answer, and cannot block; used by that thread only. */
    private boolean isDirect;

    ChildConnection(StdioTransportSettings settings, Environment environment, ChildProcess child, Receiver receiver) {
        this.settings = settings;
        this.environment = environment;
        this.child = child;
        this.sink = new PipeSink(child.stdin(), length -> isDirect, () -> {});
        this.lines = new ServerLineConnection(sink, receiver, new Sending());
        var redactor = OutputRedactor.of(settings.env().values(), environment.secrets());
        this.stdout = new ChildStdout(child.stdout(), redactor, environment, lines, pipe);
        this.stderr = new ChildStderr(child.stderr(), settings.command(), redactor, environment);
    }

    void start() {
        var reading = thread("stdout", this::read);
        reader = reading;
        reading.start();
        thread("stderr", stderr::read).start();
        sink.start(threadName("stdin"), this::write);
        child.onExit().thenRun(this::onChildExit);
    }

    long pid() {
        return child.pid();
    }

    void send(Outgoing out) {
        lines.send(out);
    }

    /** Removes a message that is not written yet, or cancels the request at the child. */
    boolean abandon(Outgoing out, String reason) {
        return lines.abandon(out, reason);
    }

    /** Runs on the writer thread. */
    private void write() {
        try {
            lines.writable();
        } catch (RuntimeException failed) {
            // The outermost frame of the thread, without which nothing would be written any more.
            onWriteFailed(new IOException("writing failed within the bridge", failed));
        }
    }

    private void onWriteFailed(IOException why) {
        stopWriting();
        var reason = "'%s' no longer accepts messages".formatted(settings.command());
        afterGrace(() -> end(Closed.disconnected(reason).withCause(why)));
    }

    /** Asks the child to end, and returns at once; {@link #close} follows. */
    void hangUp() {
        isClosing = true;
        lines.endTurn();
        stopWriting();
        child.hangUp();
    }

    /** Ends the child, with this much time for each step; its output is still read meanwhile. */
    void close(Duration timeout) {
        isClosing = true;
        lines.endTurn();
        stopWriting();
        child.end(timeout);
        if (Thread.currentThread() != reader) {
            awaitOutput();
        }
        lines.close(Closed.byUs());
    }

    /** Runs on the reader thread. */
    private void read() {
        Closed why;
        try {
            stdout.read();
            outputEnded.countDown();
            why = endOfOutput();
        } catch (ProtocolException broken) {
            why = Closed.invalid("'%s' broke the protocol: %s".formatted(settings.command(), broken.getMessage()))
                    .withCause(broken);
        } catch (IOException broken) {
            why = Closed.disconnected("the output of '%s' cannot be read".formatted(settings.command()))
                    .withCause(broken);
        } catch (RuntimeException failed) {
            // The outermost frame of the thread; the calls on this connection must end.
            why = Closed.disconnected("failed to handle the output of '%s'".formatted(settings.command()))
                    .withCause(failed);
        } finally {
            outputEnded.countDown();
        }
        if (!isClosing) {
            end(why);
        }
    }

    private Closed endOfOutput() {
        try {
            var exit = child.onExit().toCompletableFuture();
            return exited(exit.get(GRACE.toMillis(), TimeUnit.MILLISECONDS));
        } catch (InterruptedException | ExecutionException | TimeoutException stillRunning) {
            return Closed.disconnected("'%s' closed its standard output but still runs".formatted(settings.command()));
        }
    }

    private Closed exited(int exitCode) {
        return Closed.exited(exitCode, stderr.lastLines());
    }

    /** Runs on a thread of the JDK. The end is reported even if the output stays open. */
    private void onChildExit() {
        afterGrace(() -> child.onExit().thenAccept(exitCode -> end(exited(exitCode))));
    }

    /** Reports the end after the grace period, unless the reader thread has reported it before. */
    private void afterGrace(Runnable end) {
        environment.timekeeper().schedule(GRACE, () -> {
            if (isDue()) {
                environment.workers().execute(() -> {
                    if (isDue()) {
                        end.run();
                    }
                });
            }
        });
    }

    private boolean isDue() {
        return !isClosing && outputEnded.getCount() > 0;
    }

    /** Reports the end once, and ends the remaining processes of the child. */
    private void end(Closed why) {
        stopWriting();
        lines.close(why);
        child.end(settings.stopTimeout());
    }

    private void awaitOutput() {
        try {
            outputEnded.await(GRACE.toMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    private void stopWriting() {
        var unused = lines.finish();
        sink.close();
    }

    private Thread thread(String stream, Runnable work) {
        return BackgroundThreads.of(threadName(stream), work);
    }

    private String threadName(String stream) {
        return "stdio-%s-%d".formatted(stream, child.pid());
    }

    private final class Sending implements ServerLineConnection.Owner {

        @Override
        public Optional<String> rejection(int messages, long bytes, int more) {
            if (messages < settings.maxQueued() && bytes + more <= settings.maxQueuedBytes()) {
                return Optional.empty();
            }
            var message =
                    "'%s' does not read its input fast enough: the limits are max-queued = %d messages and max-queued-bytes = %d";
            return Optional.of(message.formatted(settings.command(), settings.maxQueued(), settings.maxQueuedBytes()));
        }

        @Override
        public void writing(Outgoing out) {
            var hasRoom = pipe.onWrite(out.message());
            isDirect = hasRoom && out.callerWaits();
        }

        @Override
        public void broken(IOException why) {
            onWriteFailed(why);
        }
    }

    /**
     * Reads a child's standard error and keeps the last lines for error messages. Output there does not indicate a failure.
     *
     * <p>All of it is read, so that the child never blocks on it. Some of it is logged, at DEBUG.
     */
    static final class ChildStderr {
        private static final int CHUNK = 8 << 10;
        private static final int KEPT = 16 << 10;
        private static final int SHOWN = 2_000;
        private static final int LOG_LENGTH = 500;
        private static final int LOGS_PER_WINDOW = 20;
        private static final long WINDOW = Duration.ofSeconds(10).toNanos();
        private static final long END_GRACE_MILLIS = 100;

        private final InputStream stderr;
        private final String command;
        private final OutputRedactor redactor;
        private final Environment environment;
        private final CountDownLatch ended = new CountDownLatch(1);
        /** The last bytes, up to {@code KEPT}. */
        private volatile byte[] tail = {};

        private long windowBegan;
        private int logs;

        ChildStderr(InputStream stderr, String command, OutputRedactor redactor, Environment environment) {
            this.stderr = stderr;
            this.command = command;
            this.redactor = redactor;
            this.environment = environment;
        }

        /** Reads to the end of the stream, on a thread of its own. */
        void read() {
            var chunk = new byte[CHUNK];
            try (stderr) {
                for (var read = stderr.read(chunk); read >= 0; read = stderr.read(chunk)) {
                    keep(chunk, read);
                    log(chunk, read);
                }
            } catch (IOException closed) {
                // The child has ended, which its exit reports.
            } finally {
                ended.countDown();
            }
        }

        private void keep(byte[] chunk, int length) {
            var before = tail;
            var all = Arrays.copyOf(before, before.length + length);
            System.arraycopy(chunk, 0, all, before.length, length);
            tail = Arrays.copyOfRange(all, Math.max(0, all.length - KEPT), all.length);
        }

        /** Returns the last lines; waits a moment for the end of the stream. */
        String lastLines() {
            try {
                ended.await(END_GRACE_MILLIS, TimeUnit.MILLISECONDS);
            } catch (InterruptedException interrupted) {
                Thread.currentThread().interrupt();
            }
            return redactor.ending(tail, SHOWN);
        }

        private void log(byte[] chunk, int length) {
            var logger = environment.logger();
            if (!logger.isLoggable(Level.DEBUG) || isTooMuch()) {
                return;
            }
            var text = redactor.beginning(Arrays.copyOf(chunk, length), LOG_LENGTH);
            logger.log(Level.DEBUG, "[mcp-bridge] ''{0}'' on standard error: {1}", command, text);
        }

        private boolean isTooMuch() {
            var now = environment.timekeeper().nanoTime();
            if (now - windowBegan >= WINDOW) {
                windowBegan = now;
                logs = 0;
            }
            return ++logs > LOGS_PER_WINDOW;
        }
    }
}
