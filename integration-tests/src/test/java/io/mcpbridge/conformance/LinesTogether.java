package io.mcpbridge.conformance;

import java.io.ByteArrayOutputStream;
import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.OutputStream;

/**
 * Passes messages on as they are flushed, or several of them at once on request.
 *
 * <p>Requests that a tool sends at once are written one by one, and on a busy machine a long time may pass between
 * them. Any thread may use it.
 */
final class LinesTogether extends FilterOutputStream {
    private final ByteArrayOutputStream held = new ByteArrayOutputStream();
    private final int linesOfEach;
    private int toCome;

    private LinesTogether(OutputStream out, int linesOfEach) {
        super(out);
        this.linesOfEach = linesOfEach;
    }

    /** Messages of one line each. */
    static LinesTogether ofLines(OutputStream out) {
        return new LinesTogether(out, 1);
    }

    /** Server-sent events: an id, a type, one line of data and an empty one. */
    static LinesTogether ofEvents(OutputStream out) {
        return new LinesTogether(out, 4);
    }

    /** Holds what is flushed from now on until it is so many messages. */
    synchronized void holdNext(int messages) {
        toCome = messages * linesOfEach;
    }

    /** Waits until at most so many of the held messages are missing. */
    synchronized void awaitMissing(int messages) {
        try {
            while (toCome > messages * linesOfEach) {
                wait();
            }
        } catch (InterruptedException ended) {
            throw new IllegalStateException("the server ended before all messages were written", ended);
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
