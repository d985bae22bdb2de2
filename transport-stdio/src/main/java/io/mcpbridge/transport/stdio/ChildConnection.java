package io.mcpbridge.transport.stdio;

import io.mcpbridge.failure.ProtocolException;
import io.mcpbridge.spi.ChildProcess;
import io.mcpbridge.spi.Closed;
import io.mcpbridge.spi.Environment;
import io.mcpbridge.spi.Outgoing;
import io.mcpbridge.spi.Transport.Receiver;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * A running child, the threads that serve it, and how it comes to an end.
 *
 * <p>The end is told after the child's output was read to its end, so that a last answer is not lost. Where
 * something that the child left behind holds the output open, that is waited for only a moment.
 */
final class ChildConnection {
    /** How long to wait for the rest of the output once the child has ended, and the other way round. */
    private static final Duration GRACE = Duration.ofMillis(500);

    private final StdioSettings settings;
    private final Environment environment;
    private final ChildProcess child;
    private final ReceiverGate gate;
    private final ChildInput input;
    private final ChildOutput output;
    private final ChildErrors errors;
    private final Thread reader;
    private final CountDownLatch outputEnded = new CountDownLatch(1);
    private volatile boolean isClosing;

    ChildConnection(StdioSettings settings, Environment environment, ChildProcess child, Receiver receiver) {
        this.settings = settings;
        this.environment = environment;
        this.child = child;
        this.gate = new ReceiverGate(receiver);
        this.input = new ChildInput(settings, child.stdin(), receiver, gate, this::inputBroke);
        var words = SafeText.of(settings.env().values(), environment.secrets());
        var noise = new Noise(settings.command(), words, environment);
        this.output = new ChildOutput(child.stdout(), environment.bounds().fromServers(), gate, input, noise);
        this.errors = new ChildErrors(child.stderr(), settings.command(), words, environment);
        this.reader = thread("stdout", this::read);
    }

    void start() {
        reader.start();
        thread("stderr", errors::read).start();
        thread("stdin", input::write).start();
        child.onExit().thenRun(this::childEnded);
    }

    long pid() {
        return child.pid();
    }

    void send(Outgoing out) {
        input.send(out);
    }

    boolean abandon(Outgoing out, String reason) {
        return input.abandon(out, reason);
    }

    /** Asks the child to end, and returns at once; it is closed after that. */
    void hangUp() {
        isClosing = true;
        input.close();
        child.hangUp();
    }

    /** Ends the child, with so much patience at each step; what it says meanwhile is still heard. */
    void close(Duration patience) {
        isClosing = true;
        input.close();
        child.end(patience);
        if (Thread.currentThread() != reader) {
            awaitOutput();
        }
        gate.close(Closed.byUs());
    }

    /** The whole life of the reader thread. */
    private void read() {
        Closed why;
        try {
            output.read();
            outputEnded.countDown();
            why = endOfOutput();
        } catch (ProtocolException broken) {
            why = Closed.invalid("'%s' broke the protocol: %s".formatted(settings.command(), broken.getMessage()))
                    .withCause(broken);
        } catch (IOException broken) {
            why = Closed.disconnected("the output of '%s' cannot be read".formatted(settings.command()))
                    .withCause(broken);
        } catch (RuntimeException failed) {
            // The outermost frame of the thread; whoever holds calls on this connection must learn of it.
            why = Closed.disconnected("what '%s' sent could not be handled".formatted(settings.command()))
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
            return Closed.disconnected("'%s' closed its standard output but went on".formatted(settings.command()));
        }
    }

    private Closed exited(int exitCode) {
        return Closed.exited(exitCode, errors.lastWords());
    }

    /** On a thread of the JDK. Where the output does not end with the child, the end is told all the same. */
    private void childEnded() {
        afterGrace(() -> child.onExit().thenAccept(exitCode -> end(exited(exitCode))));
    }

    private void inputBroke(IOException why) {
        var reason = "'%s' does not take messages any more".formatted(settings.command());
        afterGrace(() -> end(Closed.disconnected(reason).withCause(why)));
    }

    /** Comes too late where the output ends before; the reader thread sees to everything then. */
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

    /** Tells the end, if that was not done yet, and sees to it that nothing of the child is left. */
    private void end(Closed why) {
        input.close();
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
        return Threads.of("stdio-%s-%d".formatted(stream, child.pid()), work);
    }
}
