package io.mcpbridge.transport.http.listener;

import io.mcpbridge.call.Principal;
import java.security.SecureRandom;
import java.util.HexFormat;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Pattern;

/** The open streams of HTTP+SSE by their secrets. Any thread may use it. */
final class SseStreams {
    private static final Pattern QUERY = Pattern.compile("(?:[^?]*\\?)(?:.*&)?sessionId=([0-9a-f]{32})(?:&.*)?");

    private final SecureRandom random = new SecureRandom();
    private final Map<String, SseStream> open = new ConcurrentHashMap<>();

    /** Keeps the stream and names it with a secret, which whoever posts for it has to know. */
    String add(SseStream stream) {
        var bytes = new byte[16];
        random.nextBytes(bytes);
        var secret = HexFormat.of().formatHex(bytes);
        open.put(secret, stream);
        return secret;
    }

    void remove(SseStream stream) {
        open.values().remove(stream);
    }

    /** The stream that a request's target names, if it is one of this principal's. */
    Optional<SseStream> find(String target, Principal principal) {
        var query = QUERY.matcher(target);
        return query.matches()
                ? Optional.ofNullable(open.get(query.group(1)))
                        .filter(stream -> stream.principal().equals(principal))
                : Optional.empty();
    }
}
