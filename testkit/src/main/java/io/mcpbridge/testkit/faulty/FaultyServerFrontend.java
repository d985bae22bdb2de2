package io.mcpbridge.testkit.faulty;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.mcpbridge.message.Era;
import io.mcpbridge.message.Limits;
import io.mcpbridge.message.Message;
import io.mcpbridge.message.Request;
import io.mcpbridge.testkit.StreamPeer;
import io.mcpbridge.testkit.faulty.FaultyServerHandler.Way;
import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.channels.Channels;
import java.nio.channels.SocketChannel;
import java.util.Locale;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Serves the connections of a faulty server: reads messages and passes them to the {@link FaultyServerHandler}.
 *
 * <p>A byte stream has one message per line, and calls run concurrently. Streamable HTTP has sessions in the legacy
 * era; a request of an unknown session gets 404. Any thread may use it.
 */
final class FaultyServerFrontend {
    private static final Limits GENEROUS = Limits.SERVER.withMaxBytes(64 << 20);
    private static final String SESSION = "mcp-session-id";

    private final FaultyServerHandler handler;
    private final Set<String> sessions = ConcurrentHashMap.newKeySet();

    FaultyServerFrontend(FaultyServerHandler handler) {
        this.handler = handler;
    }

    /** Serves one connection until the client disconnects. */
    void serve(SocketChannel channel, boolean isHttp) throws IOException {
        var streams = new ConnectionAcceptor.Duplex(channel);
        var in = Channels.newInputStream(streams);
        var out = Channels.newOutputStream(streams);
        if (isHttp) {
            serveHttp(new BufferedInputStream(in), out, () -> ConnectionAcceptor.quietly(channel));
        } else {
            serveLines(in, out, () -> ConnectionAcceptor.quietly(channel));
        }
    }

    void serveLines(InputStream in, OutputStream out, Runnable cut) {
        var way = new Way(out, cut);
        new StreamPeer(in, out, cut).run((message, ignored) -> {
            if (FaultyServerHandler.isLong(message)) {
                ConnectionAcceptor.thread("faulty-call", () -> perform(() -> handler.received(message, way)));
            } else {
                perform(() -> handler.received(message, way));
            }
        });
        perform(() -> handler.left(way));
    }

    private static void perform(Step step) {
        try {
            step.run();
        } catch (IOException gone) {
            // The client disconnected; the reader detects the end of the stream.
        } catch (InterruptedException ended) {
            Thread.currentThread().interrupt();
        }
    }

    private interface Step {
        void run() throws IOException, InterruptedException;
    }

    private void serveHttp(InputStream in, OutputStream out, Runnable cut) throws IOException {
        for (var head = head(in); !head.isEmpty(); head = head(in)) {
            var length = header(head, "content-length");
            var body = in.readNBytes(length.isEmpty() ? 0 : Integer.parseInt(length));
            if (!answer(head, body, out, cut)) {
                return;
            }
        }
    }

    /** Answers one request; false if the connection ends after it. */
    private boolean answer(String head, byte[] body, OutputStream out, Runnable cut) throws IOException {
        if (!head.startsWith("POST ")) {
            new HttpWay(out, cut, "").refuse(405, "Allow: POST\r\n");
            return true;
        }
        var message = Message.scan(body, GENEROUS);
        var isLegacy = handler.era() == Era.LEGACY;
        var isOpening = message instanceof Request request && handler.isOpening(request);
        var session = header(head, SESSION);
        if (isLegacy && !isOpening && !session.isEmpty() && !sessions.contains(session)) {
            new HttpWay(out, cut, "").refuse(404, "");
            return true;
        }
        var way = new HttpWay(out, cut, isLegacy && isOpening ? newSession() : "");
        try {
            handler.received(message, way);
        } catch (InterruptedException ended) {
            Thread.currentThread().interrupt();
            return false;
        }
        if (!(message instanceof Request) && !way.isWritten()) {
            way.refuse(202, "");
        }
        // A request without an answer keeps its connection until the client disconnects; reading on detects that.
        return !way.isStream;
    }

    private String newSession() {
        var session = UUID.randomUUID().toString();
        sessions.add(session);
        return "Mcp-Session-Id: " + session + "\r\n";
    }

    private static String header(String head, String name) {
        return head.lines()
                .filter(line -> line.toLowerCase(Locale.ROOT).startsWith(name + ":"))
                .map(line -> line.substring(name.length() + 1).strip())
                .findFirst()
                .orElse("");
    }

    private static String head(InputStream in) throws IOException {
        var head = new ByteArrayOutputStream();
        for (int next = in.read(); next >= 0; next = in.read()) {
            head.write(next);
            if (next == '\n' && head.toString(UTF_8).endsWith("\r\n\r\n")) {
                return head.toString(UTF_8);
            }
        }
        return "";
    }

    /** The response to one HTTP request: a JSON body, or an event stream for several messages. Used by one thread. */
    private static final class HttpWay extends Way {
        private final String moreHeaders;
        private boolean isStream;

        private HttpWay(OutputStream out, Runnable cut, String moreHeaders) {
            super(out, cut);
            this.moreHeaders = moreHeaders;
        }

        @Override
        void expectSeveral() throws IOException {
            if (!isStream) {
                isStream = true;
                write("HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nConnection: close\r\n" + moreHeaders
                        + "\r\n");
            }
        }

        @Override
        void refuse(int status, String headers) throws IOException {
            write("HTTP/1.1 %d Refused\r\n%sContent-Length: 0\r\n\r\n".formatted(status, headers));
        }

        @Override
        String head(String json) {
            return isStream
                    ? ""
                    : "HTTP/1.1 200 Answer\r\nContent-Type: application/json\r\nContent-Length: %d\r\n%s\r\n"
                            .formatted(json.getBytes(UTF_8).length, moreHeaders);
        }

        @Override
        String framed(String json) {
            return isStream ? "data: " + json + "\n\n" : json;
        }
    }
}
