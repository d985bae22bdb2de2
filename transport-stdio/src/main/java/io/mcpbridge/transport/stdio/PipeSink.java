package io.mcpbridge.transport.stdio;

import io.mcpbridge.spi.BackgroundThreads;
import io.mcpbridge.stream.ByteSink;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.util.concurrent.Semaphore;
import java.util.function.IntPredicate;
import org.jspecify.annotations.Nullable;

/**
 * A {@link ByteSink} over a pipe that blocks no thread except its own.
 *
 * <p>A write to a full pipe blocks until the other side reads. Other threads therefore write only if the pipe is known
 * to have room; all other writes run on the thread of the sink, which may block.
 */
final class PipeSink implements ByteSink {
    private final OutputStream pipe;
    private final IntPredicate hasRoomFor;
    private final Runnable onClose;
    private final Semaphore wanted = new Semaphore(0);
    private volatile @Nullable Thread writer;
    private volatile boolean isClosed;

    /**
     * Creates a sink that has not started.
     *
     * @param hasRoomFor whether a write of this many bytes certainly does not block
     * @param onClose closes the pipe
     */
    PipeSink(OutputStream pipe, IntPredicate hasRoomFor, Runnable onClose) {
        this.pipe = pipe;
        this.hasRoomFor = hasRoomFor;
        this.onClose = onClose;
    }

    /** Starts the thread of the sink. */
    void start(String name, Runnable writable) {
        var thread = BackgroundThreads.of(name, () -> run(writable));
        writer = thread;
        thread.start();
    }

    @Override
    public void write(ByteBuffer bytes) throws IOException {
        if (isClosed) {
            throw new IOException("the stream is closed");
        }
        if (Thread.currentThread() != writer && !hasRoomFor.test(bytes.remaining())) {
            return;
        }
        if (bytes.hasArray()) {
            pipe.write(bytes.array(), bytes.arrayOffset() + bytes.position(), bytes.remaining());
            bytes.position(bytes.limit());
        } else {
            var piece = new byte[bytes.remaining()];
            bytes.get(piece);
            pipe.write(piece);
        }
        pipe.flush();
    }

    @Override
    public void awaitWritable() {
        wanted.release();
    }

    @Override
    public void close() {
        isClosed = true;
        wanted.release();
        onClose.run();
    }

    /** Runs on the thread of the sink. */
    private void run(Runnable writable) {
        try {
            while (!isClosed) {
                wanted.acquire();
                writable.run();
            }
        } catch (InterruptedException unexpected) {
            Thread.currentThread().interrupt();
        }
    }
}
