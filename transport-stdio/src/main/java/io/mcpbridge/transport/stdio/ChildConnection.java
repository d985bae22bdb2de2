package io.mcpbridge.transport.stdio;

import io.mcpbridge.failure.ErrorCode;
import io.mcpbridge.failure.Failure;
import io.mcpbridge.failure.ProtocolException;
import io.mcpbridge.message.JsonStrings;
import io.mcpbridge.message.Methods;
import io.mcpbridge.message.Notification;
import io.mcpbridge.message.Request;
import io.mcpbridge.spi.ChildProcess;
import io.mcpbridge.spi.Closed;
import io.mcpbridge.spi.Environment;
import io.mcpbridge.spi.Outgoing;
import io.mcpbridge.spi.Transport.Receiver;
import io.mcpbridge.spi.TransportFailure;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * A running child, the three threads of its standard streams, and its end.
 *
 * <p>Messages are written by the writer thread, or by a sender that waits for the answer anyway. A write may block for as
 * long as the child does not read; only the thread that writes waits then. The end is reported after the child's output was
 * read to its end, so that a last answer is not lost; if an orphan of the child holds the output open, that takes only a moment
 * longer.
 */
final class ChildConnection {
    /** How long to wait for the rest of the output once the child has ended, and the other way round. */
    private static final Duration GRACE = Duration.ofMillis(500);

    private final StdioSettings settings;
    private final Environment environment;
    private final ChildProcess child;
    private final Receiver receiver;
    private final CloseOnceReceiver gate;
    private final WriteQueue queue;
    private final ChildStdout stdout;
    private final ChildStderr stderr;
    private final CountDownLatch outputEnded = new CountDownLatch(1);
    private volatile @Nullable Thread reader;
    private volatile boolean isClosing;

    ChildConnection(StdioSettings settings, Environment environment, ChildProcess child, Receiver receiver) {
        this.settings = settings;
        this.environment = environment;
        this.child = child;
        this.receiver = receiver;
        this.gate = new CloseOnceReceiver(receiver);
        this.queue = new WriteQueue(settings.maxQueued(), settings.maxQueuedBytes());
        var sanitizer = OutputSanitizer.of(settings.env().values(), environment.secrets());
        this.stdout = new ChildStdout(child.stdout(), settings.command(), sanitizer, environment, gate, queue);
        this.stderr = new ChildStderr(child.stderr(), settings.command(), sanitizer, environment);
    }

    void start() {
        var reading = thread("stdout", this::read);
        reader = reading;
        reading.start();
        thread("stderr", stderr::read).start();
        thread("stdin", this::writeQueued).start();
        child.onExit().thenRun(this::onChildExit);
    }

    long pid() {
        return child.pid();
    }

    void send(Outgoing out) {
        switch (queue.add(out)) {
            case YOUR_TURN -> write(List.of(out));
            // The end of the connection, which is reported, ends all that is under way.
            case QUEUED, CLOSED -> {}
            case FULL -> reject(out);
        }
    }

    private void reject(Outgoing out) {
        var message =
                "'%s' does not read its input fast enough: the limits are max-queued = %d messages and max-queued-bytes = %d"
                        .formatted(settings.command(), settings.maxQueued(), settings.maxQueuedBytes());
        var failure = Failure.of(ErrorCode.OVERLOADED, message);
        receiver.failed(out, TransportFailure.of(TransportFailure.Kind.REQUEST_FAILED, failure));
    }

    /** Removes a message that is not written yet, or cancels the request at the child. */
    boolean abandon(Outgoing out, String reason) {
        if (queue.remove(out)) {
            return true;
        }
        if (out.message() instanceof Request request && !request.method().equals(Methods.INITIALIZE)) {
            // If the queue is full, the child reads nothing, and so would not read this.
            queue.add(Outgoing.of(cancellation(request, reason), out.version(), out.deadline()));
        }
        return false;
    }

    private static Notification cancellation(Request request, String reason) {
        var params = "{\"requestId\":%s,\"reason\":%s}".formatted(request.id().raw(), JsonStrings.quote(reason));
        return Notification.of(Methods.CANCELLED, params);
    }

    /** The work of the writer thread. */
    private void writeQueued() {
        try {
            for (var batch = queue.take(); !batch.isEmpty(); batch = queue.take()) {
                write(batch);
            }
        } catch (InterruptedException unexpected) {
            Thread.currentThread().interrupt();
        } catch (RuntimeException failed) {
            // The outermost frame of the thread; without it nothing would be written any more.
            onWriteFailed(new IOException("writing failed within the bridge", failed));
        }
    }

    private void write(List<Outgoing> batch) {
        try {
            var reported = new ArrayList<Outgoing>(batch.size());
            for (var out : batch) {
                if (gate.written(out)) {
                    reported.add(out);
                }
            }
            child.stdin().write(lines(reported));
        } catch (IOException gone) {
            onWriteFailed(gone);
        } finally {
            queue.releaseTurn();
        }
    }

    private static byte[] lines(List<Outgoing> batch) {
        var length = 0;
        for (var out : batch) {
            length += out.message().length() + 1;
        }
        var bytes = ByteBuffer.allocate(length);
        for (var out : batch) {
            out.message().writeTo(bytes);
            bytes.put((byte) '\n');
        }
        return bytes.array();
    }

    private void onWriteFailed(IOException why) {
        queue.close();
        var reason = "'%s' no longer accepts messages".formatted(settings.command());
        afterGrace(() -> end(Closed.disconnected(reason).withCause(why)));
    }

    /** Asks the child to end, and returns at once; {@link #close} follows. */
    void hangUp() {
        isClosing = true;
        queue.close();
        child.hangUp();
    }

    /** Ends the child, with so much patience at each step; its output is still read meanwhile. */
    void close(Duration patience) {
        isClosing = true;
        queue.close();
        child.end(patience);
        if (Thread.currentThread() != reader) {
            awaitOutput();
        }
        gate.close(Closed.byUs());
    }

    /** The work of the reader thread. */
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

    /** On a thread of the JDK. The end is reported even if the output does not end with the child. */
    private void onChildExit() {
        afterGrace(() -> child.onExit().thenAccept(exitCode -> end(exited(exitCode))));
    }

    /** Does nothing if the output ends before; then the reader thread reports the end. */
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

    /** Reports the end, if that was not done yet, and ends what is left of the child. */
    private void end(Closed why) {
        queue.close();
        gate.close(why);
        child.end(settings.stopPatience());
    }

    private void awaitOutput() {
        try {
            outputEnded.await(GRACE.toMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    private Thread thread(String stream, Runnable work) {
        return StdioThreads.of("stdio-%s-%d".formatted(stream, child.pid()), work);
    }
}
