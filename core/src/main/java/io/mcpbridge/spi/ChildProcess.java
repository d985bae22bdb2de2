package io.mcpbridge.spi;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.time.Duration;
import java.util.concurrent.CompletionStage;

/** A child that was started. Any thread may use it. */
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

    /** How firmly it is held. */
    default SandboxLevel level() {
        return SandboxLevel.L0;
    }

    /**
     * Ends the child and everything that it started: closes its standard input, waits {@code patience}, sends
     * TERM, waits {@code patience}, sends KILL. Waits until it is gone; calling it twice is harmless.
     */
    void end(Duration patience);

    /**
     * Begins to end them without waiting: closes the standard input and, where a launcher can, sends TERM at the same
     * time. {@link #end} follows, whose patience counts from now on; after it comes KILL.
     */
    default void hangUp() {
        try {
            stdin().close();
        } catch (IOException gone) {
            // Then it has ended, or hears of it by the next step.
        }
    }
}
