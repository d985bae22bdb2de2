package io.mcpbridge.spi;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.time.Duration;
import java.util.concurrent.CompletionStage;

/** A running child process. Any thread may use it. */
public interface ChildProcess {

    long pid();

    /** Its standard input; one writer at a time. */
    OutputStream stdin();

    /** Its standard output; one reader at a time. */
    InputStream stdout();

    /** Its standard error; one reader at a time. */
    InputStream stderr();

    /** Completes with the exit code as soon as the child has ended. */
    CompletionStage<Integer> onExit();

    /** The sandbox level of the child. */
    default SandboxLevel level() {
        return SandboxLevel.L0;
    }

    /**
     * Ends the child and everything that it started: closes its standard input, waits {@code timeout}, sends TERM,
     * waits {@code timeout}, sends KILL. Waits until the child has ended. A second call has no effect.
     */
    void end(Duration timeout);

    /**
     * Begins to end them and does not block: closes the standard input and, if the launcher supports it, sends TERM at
     * the same time. The caller then calls {@link #end}, whose {@code timeout} counts from now and is followed by KILL.
     */
    default void hangUp() {
        try {
            stdin().close();
        } catch (IOException gone) {
            // The child has ended, or end() will signal it.
        }
    }
}
