package io.mcpbridge.transport.http;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;

import io.mcpbridge.testkit.RawClient;
import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.net.SocketException;
import java.net.URI;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;

/** A client that writes its requests as text and reads what comes back by itself. One thread at a time. */
public final class RawHttpClient implements RawClient {
    private static final int TIMEOUT_MILLIS = 30_000;

    private final Socket socket;
    private final InputStream in;
    private final String authority;
    private String path;
    private final Deque<String> events = new ArrayDeque<>();
    private boolean isInStream;

    public RawHttpClient(URI address) throws IOException {
        socket = new Socket(address.getHost(), address.getPort());
        socket.setSoTimeout(TIMEOUT_MILLIS);
        socket.setTcpNoDelay(true);
        in = new BufferedInputStream(socket.getInputStream());
        authority = address.getAuthority();
        path = address.getPath();
    }

    public Socket socket() {
        return socket;
    }

    @Override
    public void send(String json) throws IOException {
        write(post("", json));
    }

    /** From now on requests go to another path. */
    public RawHttpClient at(String newPath) {
        path = newPath;
        return this;
    }

    /** A POST with more header lines, each ended by CRLF. */
    public String post(String moreHeaders, String json) {
        return "POST " + path + " HTTP/1.1\r\nHost: " + authority
                + "\r\nContent-Type: application/json\r\nAccept: application/json, text/event-stream\r\n" + moreHeaders
                + "Content-Length: " + json.getBytes(UTF_8).length + "\r\n\r\n" + json;
    }

    /** A GET for an event stream with more header lines, each ended by CRLF. */
    public String get(String moreHeaders) {
        return "GET " + path + " HTTP/1.1\r\nHost: " + authority + "\r\nAccept: text/event-stream\r\n" + moreHeaders
                + "\r\n";
    }

    public void write(String text) throws IOException {
        socket.getOutputStream().write(text.getBytes(UTF_8));
        socket.getOutputStream().flush();
    }

    @Override
    public String receive() throws IOException {
        if (!isInStream) {
            var response = response();
            if (!response.isStream()) {
                return response.body;
            }
        }
        return event().replaceAll("(?s).*data: ", "");
    }

    /** The next response; of an event stream only the head. */
    public Response response() throws IOException {
        var status = line();
        var headers = new LinkedHashMap<String, String>();
        for (var line = line(); !line.isEmpty(); line = line()) {
            int colon = line.indexOf(':');
            headers.put(
                    line.substring(0, colon).toLowerCase(Locale.ROOT),
                    line.substring(colon + 1).strip());
        }
        int code = Integer.parseInt(status.split(" ", 3)[1]);
        isInStream = headers.getOrDefault("content-type", "").startsWith("text/event-stream");
        int length = Integer.parseInt(headers.getOrDefault("content-length", "0"));
        var body = isInStream ? "" : new String(in.readNBytes(length), UTF_8);
        return new Response(code, headers, body);
    }

    /** The next event of a stream that is not empty, as it was written; the empty string at the end of the stream. */
    public String event() throws IOException {
        while (events.isEmpty()) {
            int size = Integer.parseInt(line(), 16);
            var chunk = new String(in.readNBytes(size), UTF_8);
            line();
            if (size == 0) {
                isInStream = false;
                return "";
            }
            events.add(chunk);
        }
        return events.remove();
    }

    /** Whatever comes until the listener ends the connection. */
    public String rest() throws IOException {
        return new String(in.readAllBytes(), UTF_8);
    }

    private String line() throws IOException {
        var line = new ByteArrayOutputStream();
        for (int next = in.read(); next != '\n'; next = in.read()) {
            if (next < 0) {
                throw new EOFException("the connection ended within a line: '" + line.toString(ISO_8859_1) + "'");
            }
            line.write(next);
        }
        return line.toString(UTF_8).strip();
    }

    @Override
    public void awaitEnd() throws IOException {
        try {
            in.readAllBytes();
        } catch (SocketException reset) {
            // A reset is an end too.
        }
    }

    @Override
    public void close() {
        try {
            socket.close();
        } catch (IOException closedAnyway) {
            throw new java.io.UncheckedIOException(closedAnyway);
        }
    }

    /** A response whose header names are in lower case. */
    public record Response(int status, Map<String, String> headers, String body) {
        boolean isStream() {
            return headers.getOrDefault("content-type", "").startsWith("text/event-stream");
        }
    }
}
