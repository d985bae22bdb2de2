package io.mcpbridge.transport.unix;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.mcpbridge.testkit.Eventually;
import io.mcpbridge.testkit.RawClient;
import java.io.BufferedReader;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.URI;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.SocketChannel;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/** A client that speaks lines over a blocking channel; a thread of its own reads. */
final class LineClient implements RawClient {
    private static final String END = "";

    private final SocketChannel channel;
    private final BlockingQueue<String> lines = new LinkedBlockingQueue<>();

    private LineClient(SocketChannel channel) {
        this.channel = channel;
        var reader = new Thread(this::read, "line-client");
        reader.setDaemon(true);
        reader.start();
    }

    static LineClient to(URI address) throws IOException {
        return to(Path.of(address.getPath()));
    }

    static LineClient to(Path path) throws IOException {
        return new LineClient(SocketChannel.open(UnixDomainSocketAddress.of(path)));
    }

    @Override
    public void send(String json) throws IOException {
        sendRaw(json + "\n");
    }

    /** Sends the text as it is. */
    void sendRaw(String text) throws IOException {
        sendRaw(text.getBytes(UTF_8));
    }

    /** Past the streams of {@link Channels}, which share one lock between reading and writing. */
    void sendRaw(byte[] bytes) throws IOException {
        var buffer = ByteBuffer.wrap(bytes);
        while (buffer.hasRemaining()) {
            channel.write(buffer);
        }
    }

    /** Sends nothing more but continues to read. */
    void endSending() throws IOException {
        channel.shutdownOutput();
    }

    @Override
    public String receive() throws IOException {
        var line = next().orElseThrow(() -> new AssertionError("waited without success for a message"));
        if (line.equals(END)) {
            throw new EOFException("the connection has ended");
        }
        return line;
    }

    @Override
    public void awaitEnd() {
        for (var line = next(); !line.equals(Optional.of(END)); line = next()) {
            if (line.isEmpty()) {
                throw new AssertionError("waited without success for the end of the connection");
            }
        }
    }

    @Override
    public void close() {
        Closeables.closeQuietly(channel);
    }

    private Optional<String> next() {
        try {
            return Optional.ofNullable(lines.poll(Eventually.TIMEOUT.toMillis(), TimeUnit.MILLISECONDS));
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            return Optional.empty();
        }
    }

    private void read() {
        try {
            var in = new BufferedReader(new InputStreamReader(Channels.newInputStream(channel), UTF_8));
            for (var line = in.readLine(); line != null; line = in.readLine()) {
                lines.add(line);
            }
        } catch (IOException ended) {
            // Told below.
        }
        lines.add(END);
    }
}
