package io.mcpbridge.golden;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.JsonNode;
import io.mcpbridge.message.Methods;
import io.mcpbridge.testkit.Eventually;
import java.io.BufferedReader;
import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;

/** A server of lines: on a Unix socket, or behind the pipes of a child process. Each connection has a section. */
final class LineServer extends ScriptedPeer {
    /** Connects standard streams with two named pipes of a folder of its own, and ends as a file there says. */
    private static final String CHILD = """
            #!/bin/sh
            n=1
            while ! mkdir "%1$s/$n" 2>/dev/null; do n=$((n+1)); done
            cd "%1$s/$n"
            mkfifo in out
            mv in stdin; mv out stdout
            exec 3<&0
            cat <&3 >stdin 2>/dev/null &
            exec 3<&-
            cat stdout
            [ -f code ] || exit 0
            cat words >&2
            exit "$(cat code)"
            """;

    private static final int MOST_CONNECTIONS = 100;
    private static final long LOOK_AGAIN_NANOS = 1_000_000;

    private final Path place;
    private final boolean isChild;
    private final List<Closeable> open = new CopyOnWriteArrayList<>();
    private final AtomicInteger reading = new AtomicInteger();
    private volatile boolean isClosed;

    private LineServer(Bench bench, String name, Playbook playbook, Path place, boolean isChild) {
        super(bench, "server " + name + (isChild ? " over stdio, process " : " over unix, connection "), playbook);
        this.place = place;
        this.isChild = isChild;
    }

    static LineServer unix(Bench bench, String name, Playbook playbook) throws IOException {
        var place = bench.folder().resolve(name + ".sock");
        var server = new LineServer(bench, name, playbook, place, false);
        var channel = ServerSocketChannel.open(StandardProtocolFamily.UNIX);
        channel.bind(UnixDomainSocketAddress.of(place));
        server.open.add(channel);
        server.begin(() -> server.accept(channel));
        return server;
    }

    static LineServer child(Bench bench, String name, Playbook playbook) throws IOException {
        var pipes = Files.createDirectory(bench.folder().resolve(name));
        var program = bench.folder().resolve(name + "-program");
        var rights = PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------"));
        Files.createFile(program, rights);
        Files.writeString(program, CHILD.formatted(pipes));
        var server = new LineServer(bench, name, playbook, pipes, true);
        server.begin(server::awaitChildren);
        return server;
    }

    @Override
    String section() {
        return isChild ? "\"command\": \"%s-program\"".formatted(place) : "\"path\": \"%s\"".formatted(place);
    }

    private void accept(ServerSocketChannel channel) throws IOException {
        for (int number = 1; !isClosed; number++) {
            var client = channel.accept();
            open.add(client);
            var connection =
                    new Connection(number, Channels.newInputStream(client), bytes -> write(client, bytes), client);
            begin(connection::read);
        }
    }

    /** Not by a stream of the channel, which would wait until the other direction has read something. */
    private static void write(SocketChannel channel, byte[] bytes) throws IOException {
        var rest = ByteBuffer.wrap(bytes);
        while (rest.hasRemaining()) {
            channel.write(rest);
        }
    }

    private void awaitChildren() throws IOException {
        for (int number = 1; number < MOST_CONNECTIONS; number++) {
            var pipes = place.resolve(Integer.toString(number));
            while (!Files.exists(pipes.resolve("stdout"))) {
                if (isClosed) {
                    return;
                }
                LockSupport.parkNanos(LOOK_AGAIN_NANOS);
            }
            // Each opening waits for the other side, and the child opens them in this order.
            var in = Files.newInputStream(pipes.resolve("stdin"));
            var out = Files.newOutputStream(pipes.resolve("stdout"));
            open.add(in);
            open.add(out);
            begin(new Connection(number, in, out::write, out)::read);
        }
    }

    /** Lets the child end by itself, with this exit code and these last words on standard error. */
    void exit(Received call, int code, String words) throws IOException {
        var connection = (Connection) call.way();
        var pipes = place.resolve(Integer.toString(connection.number));
        Files.writeString(pipes.resolve("words"), words + "\n");
        Files.writeString(pipes.resolve("code"), Integer.toString(code));
        bench.transcript().said(connection.section, "server", "(exits with " + code + ")");
        connection.end.close();
    }

    private void begin(Work work) {
        var thread = new Thread(
                () -> {
                    try {
                        work.run();
                    } catch (IOException | UncheckedIOException gone) {
                        // The bridge or the script ended it.
                    }
                },
                "golden-" + title);
        thread.setDaemon(true);
        thread.start();
    }

    @Override
    void awaitEnd() {
        Eventually.holds("the bridge to end its connections to " + title, () -> reading.get() == 0);
    }

    @Override
    public void close() {
        isClosed = true;
        for (var each : open) {
            try {
                each.close();
            } catch (IOException gone) {
                // A pipe whose reader is gone.
            }
        }
    }

    private interface Out {
        void write(byte[] bytes) throws IOException;
    }

    private interface Work {
        void run() throws IOException;
    }

    /** One connection or process. */
    private final class Connection implements Received.Way {
        private final ReentrantLock writing = new ReentrantLock();
        private final int number;
        private final String section;
        private final InputStream in;
        private final Out out;
        private final Closeable end;
        /** The id of the bridge's request for changes; used by the reading thread. */
        private String listening = "";

        Connection(int number, InputStream in, Out out, Closeable end) {
            this.number = number;
            this.section = title + number;
            this.in = in;
            this.out = out;
            this.end = end;
        }

        private void read() throws IOException {
            reading.incrementAndGet();
            try {
                readAll();
            } finally {
                reading.decrementAndGet();
            }
        }

        private void readAll() throws IOException {
            try (var lines = new BufferedReader(new InputStreamReader(in, UTF_8))) {
                for (var line = lines.readLine(); line != null; line = lines.readLine()) {
                    var message = Json.parse(line);
                    // The end of the connection, which follows, may overtake it.
                    if (!isEndOfListening(message)) {
                        bench.transcript().said(section, Transcript.BRIDGE, line);
                    }
                    handle(message, this);
                }
            }
            bench.transcript().said(section, Transcript.BRIDGE, "(ends the stream)");
            end.close();
        }

        private boolean isEndOfListening(JsonNode message) {
            var method = message.path("method").asText();
            if (method.equals(Methods.SUBSCRIPTIONS_LISTEN)) {
                listening = message.path("id").asText();
            }
            return method.equals(Methods.CANCELLED)
                    && message.path("params").path("requestId").asText().equals(listening);
        }

        @Override
        public void event(String json) {
            writing.lock();
            try {
                bench.transcript().said(section, "server", json);
                out.write((json + "\n").getBytes(UTF_8));
            } catch (IOException gone) {
                throw new UncheckedIOException(gone);
            } finally {
                writing.unlock();
            }
        }

        @Override
        public void last(String json) {
            event(json);
        }

        @Override
        public void cut() {
            bench.transcript().said(section, "server", "(ends the connection)");
            try {
                end.close();
            } catch (IOException gone) {
                throw new UncheckedIOException(gone);
            }
        }
    }
}
