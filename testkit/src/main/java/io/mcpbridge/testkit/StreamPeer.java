package io.mcpbridge.testkit;

import io.mcpbridge.message.Limits;
import io.mcpbridge.message.Message;
import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Runs a {@link Script} over a pair of byte streams, one message per line.
 *
 * <p>It does not use the bridge's frame reader, so that the two implementations check each other. As a program
 * ({@link #main}) it runs an {@link EchoScript} over standard input and output.
 */
public final class StreamPeer implements Script.Wire {
    private static final Limits GENEROUS = Limits.SERVER.withMaxBytes(64 << 20);

    private final ReentrantLock writing = new ReentrantLock();
    private final InputStream in;
    private final OutputStream out;
    private final Runnable cut;

    /**
     * Creates a peer that has not started.
     *
     * @param cut closes the connection at once
     */
    public StreamPeer(InputStream in, OutputStream out, Runnable cut) {
        this.in = new BufferedInputStream(in, 1 << 16);
        this.out = out;
        this.cut = cut;
    }

    /** Runs an {@link EchoScript} on standard input until it ends. */
    public static void main(String[] arguments) {
        var exit = (Runnable) () -> Runtime.getRuntime().halt(3);
        new StreamPeer(System.in, System.out, exit).run(new EchoScript());
    }

    /** Passes messages to the script until the stream ends or breaks. */
    public void run(Script script) {
        try {
            for (var line = line(); line.length > 0; line = line()) {
                script.received(Message.scan(line, GENEROUS), this);
            }
        } catch (IOException | UncheckedIOException gone) {
            // The other side disconnected, which many tests provoke.
            cut.run();
        }
    }

    @Override
    public void send(Message message) {
        sendInPieces(message, message.length() + 1);
    }

    @Override
    public void sendInPieces(Message message, int bytes) {
        var line = new byte[message.length() + 1];
        message.bytes().get(line, 0, message.length());
        line[message.length()] = '\n';
        writing.lock();
        try {
            for (int at = 0; at < line.length; at += bytes) {
                out.write(line, at, Math.min(bytes, line.length - at));
                out.flush();
            }
        } catch (IOException gone) {
            throw new UncheckedIOException(gone);
        } finally {
            writing.unlock();
        }
    }

    @Override
    public void cut() {
        cut.run();
    }

    /** The next line that is not empty; no bytes at the end of the stream. */
    private byte[] line() throws IOException {
        var line = new ByteArrayOutputStream(256);
        for (int next = in.read(); next >= 0; next = in.read()) {
            if (next != '\n') {
                line.write(next);
            } else if (line.size() > 0) {
                return line.toByteArray();
            }
        }
        return new byte[0];
    }
}
