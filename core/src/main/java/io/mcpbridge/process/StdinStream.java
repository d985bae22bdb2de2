package io.mcpbridge.process;

import java.io.IOException;
import java.io.OutputStream;
import java.util.concurrent.locks.ReentrantLock;

/**
 * A child's standard input, which can be closed while a write to it is stuck.
 *
 * <p>The JDK's stream would make {@code close} wait behind the write, and a child that does not read holds
 * that for ever. Here {@code close} never waits: the write that is under way closes the stream when it ends.
 * Nothing is buffered, so flushing is not needed.
 */
final class StdinStream extends OutputStream {
    private final OutputStream pipe;
    private final ReentrantLock writing = new ReentrantLock();
    private volatile boolean isClosed;

    StdinStream(OutputStream pipe) {
        this.pipe = pipe;
    }

    @Override
    public void write(int oneByte) throws IOException {
        write(new byte[] {(byte) oneByte}, 0, 1);
    }

    @Override
    public void write(byte[] bytes, int from, int length) throws IOException {
        writing.lock();
        try {
            if (isClosed) {
                throw new IOException("the child's standard input is closed");
            }
            pipe.write(bytes, from, length);
            // At once, so that closing finds nothing left over that it would have to write.
            pipe.flush();
        } finally {
            writing.unlock();
            if (isClosed) {
                closeIfIdle();
            }
        }
    }

    @Override
    public void close() {
        isClosed = true;
        closeIfIdle();
    }

    private void closeIfIdle() {
        if (!writing.tryLock()) {
            return;
        }
        try {
            pipe.close();
        } catch (IOException gone) {
            // The child has gone before its input was flushed; that is no failure of closing.
        } finally {
            writing.unlock();
        }
    }
}
