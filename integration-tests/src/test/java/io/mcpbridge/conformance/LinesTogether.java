package io.mcpbridge.conformance;

import java.io.ByteArrayOutputStream;
import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.OutputStream;

/**
 * Passes lines on as they are flushed, or several of them at once where that was asked for.
 *
 * <p>Questions that a tool asks at once are written one by one, and on a busy machine a long time may pass between
 * them. Any thread may use it.
 */
final class LinesTogether extends FilterOutputStream {
    private final ByteArrayOutputStream held = new ByteArrayOutputStream();
    private int toCome;

    LinesTogether(OutputStream out) {
        super(out);
    }

    /** Holds what is flushed from now on until it is {@code lines} lines. */
    synchronized void holdNext(int lines) {
        toCome = lines;
    }

    /** Waits until at most {@code lines} of the held lines are missing. */
    synchronized void awaitMissing(int lines) {
        try {
            while (toCome > lines) {
                wait();
            }
        } catch (InterruptedException ended) {
            throw new IllegalStateException("the server ended before all lines were written", ended);
        }
    }

    @Override
    public synchronized void write(int single) {
        held.write(single);
    }

    @Override
    public synchronized void write(byte[] bytes, int offset, int length) {
        held.write(bytes, offset, length);
        for (int i = offset; i < offset + length; i++) {
            toCome -= bytes[i] == '\n' ? 1 : 0;
        }
        notifyAll();
    }

    @Override
    public synchronized void flush() throws IOException {
        if (toCome > 0) {
            return;
        }
        held.writeTo(out);
        held.reset();
        out.flush();
    }
}
