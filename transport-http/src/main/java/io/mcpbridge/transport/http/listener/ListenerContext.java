package io.mcpbridge.transport.http.listener;

import io.mcpbridge.call.Principal;
import io.mcpbridge.message.Limits;
import io.mcpbridge.spi.Acceptor;
import io.mcpbridge.spi.Environment;
import io.mcpbridge.spi.Intake;
import io.mcpbridge.stream.ClientStreamLimits;
import java.security.SecureRandom;
import java.util.HexFormat;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Pattern;

/** The objects that the connections of one listener share. Any thread may use it. */
record ListenerContext(
        HttpListenerSettings settings,
        Environment environment,
        Acceptor acceptor,
        Intake intake,
        RejectionReporter rejections,
        RequestValidator validator,
        ReplayStore replay,
        SseListenerSessions sseSessions) {

    ListenerContext(HttpListenerSettings settings, Environment environment, Acceptor acceptor, Intake intake) {
        this(
                settings,
                environment,
                acceptor,
                intake,
                new RejectionReporter(acceptor, settings.host() + ":" + settings.port()),
                new RequestValidator(settings),
                new ReplayStore(environment.timekeeper(), settings.limits().maxReplayBytes()),
                new SseListenerSessions());
    }

    HttpListenerLimits limits() {
        return settings.limits();
    }

    /** The limits of a message. */
    Limits messageLimits() {
        return environment.limits().fromClients().withMaxBytes(limits().maxBodyBytes());
    }

    /** The settings of HTTP+SSE sessions. */
    ClientStreamLimits clientLimits() {
        return ClientStreamLimits.of(environment.limits())
                .withLimits(messageLimits())
                .withMaxQueuedBytes(limits().maxQueuedBytes());
    }

    /** The open HTTP+SSE sessions by their secret ids. Any thread may use it. */
    static final class SseListenerSessions {
        private static final Pattern QUERY = Pattern.compile("(?:[^?]*\\?)(?:.*&)?sessionId=([0-9a-f]{32})(?:&.*)?");

        private final SecureRandom random = new SecureRandom();
        private final Map<String, SseListenerSession> open = new ConcurrentHashMap<>();

        /** Adds a session and returns its id, a secret that posts must contain. */
        String add(SseListenerSession stream) {
            var bytes = new byte[16];
            random.nextBytes(bytes);
            var secret = HexFormat.of().formatHex(bytes);
            open.put(secret, stream);
            return secret;
        }

        void remove(SseListenerSession stream) {
            open.values().remove(stream);
        }

        /** Finds the session that a request names, if it belongs to this principal. */
        Optional<SseListenerSession> find(String target, Principal principal) {
            var query = QUERY.matcher(target);
            return query.matches()
                    ? Optional.ofNullable(open.get(query.group(1)))
                            .filter(stream -> stream.principal().equals(principal))
                    : Optional.empty();
        }
    }
}
