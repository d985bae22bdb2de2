package io.mcpbridge.transport.http;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;

/** A server that the test controls: it writes what the test says, well-formed or not, and records the requests. */
public final class RawHttpServer implements AutoCloseable {
    private final ServerSocket server;
    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final List<Socket> sockets = new CopyOnWriteArrayList<>();
    private final List<Heard> heard = new CopyOnWriteArrayList<>();
    private final CountDownLatch closing = new CountDownLatch(1);
    private final Play play;

    /** Plays on each connection until the play ends, and closes it then. */
    public RawHttpServer(Play play) throws IOException {
        this.play = play;
        this.server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        threads.execute(this::accept);
    }

    /** Answers every request by itself. */
    public static RawHttpServer answering(Answer answer) throws IOException {
        return new RawHttpServer(talk -> {
            for (var request = talk.next(); request.isPresent(); request = talk.next()) {
                talk.write(answer.to(request.get()));
            }
        });
    }

    public URI url() {
        return URI.create("http://127.0.0.1:" + server.getLocalPort() + "/mcp");
    }

    /** Every request so far, over all connections. */
    public List<Heard> heard() {
        return List.copyOf(heard);
    }

    /** How many connections there were so far. */
    public int connections() {
        return sockets.size();
    }

    public static String json(int status, String body) {
        return "HTTP/1.1 %d X\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n%s"
                .formatted(status, body.getBytes(UTF_8).length, body);
    }

    public static String bare(int status, String headers) {
        return "HTTP/1.1 %d X\r\n%sContent-Length: 0\r\n\r\n".formatted(status, headers);
    }

    public static String result(String id) {
        return "{\"jsonrpc\":\"2.0\",\"id\":%s,\"result\":{}}".formatted(id);
    }

    /** The head of an event stream that ends with its connection. */
    public static String stream() {
        return "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nConnection: close\r\n\r\n";
    }

    private void accept() {
        try {
            while (true) {
                var socket = server.accept();
                sockets.add(socket);
                if (closing.getCount() == 0) {
                    socket.close();
                    return;
                }
                threads.execute(() -> play(socket));
            }
        } catch (IOException closed) {
            // The test is over.
        }
    }

    private void play(Socket socket) {
        try (socket) {
            play.play(new Talk(socket));
        } catch (IOException gone) {
            // The client left, or the play ended the connection.
        }
    }

    @Override
    public void close() throws IOException {
        closing.countDown();
        server.close();
        for (var socket : sockets) {
            socket.close();
        }
        threads.shutdownNow();
    }

    /** What the server does on one connection. */
    public interface Play {
        void play(Talk talk) throws IOException;
    }

    /** The response of the server to one request. */
    public interface Answer {
        String to(Heard request);
    }

    /** A request. */
    public record Heard(String method, String head, String body) {

        /** The value of a header, or the empty string. */
        public String header(String name) {
            for (var line : head.split("\r\n", -1)) {
                if (line.toLowerCase(Locale.ROOT).startsWith(name + ":")) {
                    return line.substring(name.length() + 1).strip();
                }
            }
            return "";
        }
    }

    /** One connection. */
    public final class Talk {
        private final Socket socket;
        private final InputStream in;

        private Talk(Socket socket) throws IOException {
            this.socket = socket;
            this.in = new BufferedInputStream(socket.getInputStream());
        }

        /** Waits for the next request; empty when the client has ended the connection. */
        public Optional<Heard> next() throws IOException {
            var head = head();
            if (head.isEmpty()) {
                return Optional.empty();
            }
            var request = new Heard(head.substring(0, head.indexOf(' ')), head, "");
            var length = request.header("content-length");
            var body = length.isEmpty() ? "" : new String(in.readNBytes(Integer.parseInt(length)), UTF_8);
            var whole = new Heard(request.method, head, body);
            heard.add(whole);
            return Optional.of(whole);
        }

        /** Waits for the head of a request and leaves its body unread; empty when the client has ended the connection. */
        public String head() throws IOException {
            var head = new ByteArrayOutputStream();
            for (int next = in.read(); next >= 0; next = in.read()) {
                head.write(next);
                if (next == '\n' && head.toString(UTF_8).endsWith("\r\n\r\n")) {
                    return head.toString(UTF_8);
                }
            }
            return "";
        }

        public void write(String text) throws IOException {
            socket.getOutputStream().write(text.getBytes(UTF_8));
            socket.getOutputStream().flush();
        }

        /** Waits until the client has ended the connection. */
        public void awaitEnd() throws IOException {
            in.readAllBytes();
        }

        /** Writes the piece again and again, every few milliseconds, until the client ends the connection. */
        public void dribble(String piece) throws IOException {
            try {
                do {
                    write(piece);
                } while (!closing.await(5, TimeUnit.MILLISECONDS));
            } catch (InterruptedException ended) {
                Thread.currentThread().interrupt();
            }
        }

        /** Ends the connection in good order. */
        public void hangUp() throws IOException {
            socket.close();
        }

        /** Ends the connection with a reset. */
        public void reset() throws IOException {
            socket.setSoLinger(true, 0);
            socket.close();
        }
    }
}
