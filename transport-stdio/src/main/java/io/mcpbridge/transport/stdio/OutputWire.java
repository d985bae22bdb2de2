package io.mcpbridge.transport.stdio;

import io.mcpbridge.stream.Wire;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.util.concurrent.Semaphore;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Writes to standard output without keeping threads that bring answers.
 *
 * <p>A write to a pipe that is full gets stuck until the client reads. So others write only where the pipe is
 * known to have room; everything else waits for the thread of the wire, which may get stuck.
 */
final class OutputWire implements Wire {
    private final StandardStreams streams;
    private final OutputStream out;
    private final Semaphore wanted = new Semaphore(0);
    private volatile @Nullable Thread writer;
    private volatile boolean isClosed;

    OutputWire(StandardStreams streams) {
        this.streams = streams;
        this.out = streams.out();
    }

    /** Starts the thread of the wire. */
    void start(Runnable writable, Consumer<String> lost) {
        var thread = Threads.of("stdio-output", () -> run(writable, lost));
        writer = thread;
        thread.start();
    }

    @Override
    public void write(ByteBuffer bytes) throws IOException {
        if (isClosed) {
            throw new IOException("standard output is closed");
        }
        if (Thread.currentThread() != writer && !streams.hasRoomFor(bytes.remaining())) {
            return;
        }
        var piece = new byte[bytes.remaining()];
        bytes.get(piece);
        out.write(piece);
        out.flush();
    }

    @Override
    public void awaitWritable() {
        wanted.release();
    }

    @Override
    public void close() {
        isClosed = true;
        wanted.release();
        streams.hangUp();
    }

    /** The whole life of the thread. */
    private void run(Runnable writable, Consumer<String> lost) {
        try {
            while (!isClosed) {
                wanted.acquire();
                writable.run();
            }
        } catch (InterruptedException nobodyDoesThat) {
            Thread.currentThread().interrupt();
        } catch (RuntimeException failed) {
            // The outermost frame of the thread; without it nothing would be written any more.
            lost.accept("a fault in the bridge: " + failed);
        }
    }
}
