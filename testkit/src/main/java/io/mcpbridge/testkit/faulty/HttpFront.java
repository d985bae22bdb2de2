package io.mcpbridge.testkit.faulty;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.mcpbridge.message.Era;
import io.mcpbridge.message.Limits;
import io.mcpbridge.message.Message;
import io.mcpbridge.message.Request;
import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.Locale;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;

/** Speaks Streamable HTTP, with sessions in the legacy era; a request of a session that it does not know gets 404. */
final class HttpFront {
    private static final Limits GENEROUS = Limits.SERVER.withMaxBytes(64 << 20);
    private static final String SESSION = "mcp-session-id";

    private final Conversation conversation;
    private final Set<String> sessions = ConcurrentHashMap.newKeySet();

    HttpFront(Conversation conversation) {
        this.conversation = conversation;
    }

    /** Serves one connection, one request after the other. */
    void serve(InputStream raw, OutputStream out, Runnable cut) throws IOException {
        var in = new BufferedInputStream(raw);
        for (var head = head(in); !head.isEmpty(); head = head(in)) {
            var length = header(head, "content-length");
            var body = in.readNBytes(length.isEmpty() ? 0 : Integer.parseInt(length));
            if (!answer(head, body, out, cut)) {
                return;
            }
        }
    }

    /** Answers one request; false if the connection ends with it. */
    private boolean answer(String head, byte[] body, OutputStream out, Runnable cut) throws IOException {
        if (!head.startsWith("POST ")) {
            new HttpWay(out, cut, "").refuse(405, "Allow: POST\r\n");
            return true;
        }
        var message = Message.scan(body, GENEROUS);
        var isLegacy = conversation.era() == Era.LEGACY;
        var isOpening = message instanceof Request request && conversation.isOpening(request);
        if (isLegacy && !isOpening && !header(head, SESSION).isEmpty() && !sessions.contains(header(head, SESSION))) {
            new HttpWay(out, cut, "").refuse(404, "");
            return true;
        }
        var way = new HttpWay(out, cut, isLegacy && isOpening ? newSession() : "");
        try {
            conversation.received(message, way);
        } catch (InterruptedException ended) {
            Thread.currentThread().interrupt();
            return false;
        }
        if (message instanceof Request || way.isWritten()) {
            // A request that is never answered keeps its connection until the client leaves, which reading on shows.
            return !way.isStream();
        }
        way.refuse(202, "");
        return true;
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
}
