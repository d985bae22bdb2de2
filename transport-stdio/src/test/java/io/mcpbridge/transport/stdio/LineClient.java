package io.mcpbridge.transport.stdio;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.mcpbridge.testkit.Eventually;
import io.mcpbridge.testkit.RawClient;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.util.Optional;
import java.util.concurrent.LinkedBlockingQueue;

/** A client on a pair of streams. Reads nothing before the first line is requested. */
final class LineClient implements RawClient {
    private static final String END = "";

    private final InputStream in;
    private final OutputStream out;
    private final Thread reader = new Thread(this::read, "test-client");
    private final LinkedBlockingQueue<String> lines = new LinkedBlockingQueue<>();

    LineClient(InputStream in, OutputStream out) {
        this.in = in;
        this.out = out;
    }

    @Override
    public void send(String json) throws IOException {
        out.write((json + "\n").getBytes(UTF_8));
        out.flush();
    }

    @Override
    public String receive() throws IOException {
        var line = next();
        if (line.equals(END)) {
            throw new IOException("the listener ended the connection");
        }
        return line;
    }

    @Override
    public void awaitEnd() throws IOException {
        while (!next().equals(END)) {
            // What is still under way does not matter.
        }
    }

    /** Ends the input of the other side, and keeps reading. */
    void endInput() throws IOException {
        out.close();
    }

    @Override
    public void close() {
        try {
            out.close();
            in.close();
        } catch (IOException gone) {
            // The other side was faster.
        }
    }

    private String next() {
        if (!reader.isDaemon()) {
            reader.setDaemon(true);
            reader.start();
        }
        return Eventually.get(() -> "a line", () -> Optional.ofNullable(lines.poll()));
    }

    private void read() {
        try {
            var reader = new BufferedReader(new InputStreamReader(in, UTF_8));
            for (var line = reader.readLine(); line != null; line = reader.readLine()) {
                lines.add(line);
            }
        } catch (IOException closed) {
            // As good as the end.
        }
        lines.add(END);
    }
}
