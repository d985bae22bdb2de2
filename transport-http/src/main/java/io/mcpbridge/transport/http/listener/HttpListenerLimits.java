package io.mcpbridge.transport.http.listener;

import io.mcpbridge.message.Limits;
import io.mcpbridge.spi.BridgeLimits;
import io.mcpbridge.spi.MistakeCollector;
import io.mcpbridge.spi.Settings;
import java.time.Duration;

/**
 * The limits of an HTTP listener.
 *
 * @param maxBodyBytes the size of the body of one request
 * @param maxHeadBytes the size of all header lines of one request
 * @param maxHeaders the number of headers of one request
 * @param headDeadline the time from the first byte of a request, or from the connection, to the end of its head
 * @param requestDeadline the time from the first byte of a request to the end of its body
 * @param keepAlive how long a connection may be idle between two requests
 * @param writeDeadline how long a client may read nothing although bytes wait for it
 * @param commentInterval the silence after which a comment keeps an event stream alive
 * @param connections how many connections may be open at once
 * @param maxQueuedBytes how many bytes may wait for one client
 * @param maxReplayBytes how many bytes are buffered for one session whose streams broke
 */
public record HttpListenerLimits(
        int maxBodyBytes,
        int maxHeadBytes,
        int maxHeaders,
        Duration headDeadline,
        Duration requestDeadline,
        Duration keepAlive,
        Duration writeDeadline,
        Duration commentInterval,
        int connections,
        int maxQueuedBytes,
        int maxReplayBytes) {

    /** The largest message of a server, plus 64 KiB. */
    private static final int ONE_FRAME = Limits.SERVER.maxBytes() + (64 << 10);

    public static final HttpListenerLimits DEFAULTS = new HttpListenerLimits(
            Limits.CLIENT.maxBytes(),
            16 << 10,
            100,
            Duration.ofSeconds(10),
            Duration.ofSeconds(30),
            Duration.ofMinutes(5),
            Duration.ofSeconds(30),
            Duration.ofSeconds(15),
            8192,
            ONE_FRAME,
            4 << 20);

    public HttpListenerLimits {
        var validator = new MistakeCollector();
        atLeastOne("max-body-bytes", maxBodyBytes, validator);
        atLeastOne("max-head-bytes", maxHeadBytes, validator);
        atLeastOne("max-headers", maxHeaders, validator);
        atLeastOne("connections", connections, validator);
        atLeastOne("max-queued-bytes", maxQueuedBytes, validator);
        atLeastOne("max-replay-bytes", maxReplayBytes, validator);
        longerThanZero("head-deadline", headDeadline, validator);
        longerThanZero("request-deadline", requestDeadline, validator);
        longerThanZero("keep-alive", keepAlive, validator);
        longerThanZero("write-deadline", writeDeadline, validator);
        longerThanZero("comment-interval", commentInterval, validator);
        validator.throwIfAny();
    }

    /** Reads the keys of the limits; the caller finishes the section. */
    static HttpListenerLimits read(Settings settings, BridgeLimits bridgeLimits) {
        return new HttpListenerLimits(
                settings.integer("max-body-bytes", bridgeLimits.fromClients().maxBytes()),
                settings.integer("max-head-bytes", DEFAULTS.maxHeadBytes),
                settings.integer("max-headers", DEFAULTS.maxHeaders),
                settings.duration("head-deadline", DEFAULTS.headDeadline),
                settings.duration("request-deadline", DEFAULTS.requestDeadline),
                settings.duration("keep-alive", DEFAULTS.keepAlive),
                settings.duration("write-deadline", DEFAULTS.writeDeadline),
                settings.duration("comment-interval", DEFAULTS.commentInterval),
                settings.integer("connections", DEFAULTS.connections),
                settings.integer("max-queued-bytes", bridgeLimits.outboundOfOne()),
                settings.integer("max-replay-bytes", DEFAULTS.maxReplayBytes));
    }

    private static void atLeastOne(String key, int value, MistakeCollector validator) {
        validator.unless(value >= 1, key, value, "at least 1");
    }

    private static void longerThanZero(String key, Duration value, MistakeCollector validator) {
        validator.unless(value.toMillis() >= 1, key, value, "1ms or longer");
    }
}
