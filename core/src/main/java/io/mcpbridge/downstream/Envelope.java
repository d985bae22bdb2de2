package io.mcpbridge.downstream;

import io.mcpbridge.call.Caller;
import io.mcpbridge.call.LogLevel;
import io.mcpbridge.message.Part;
import io.mcpbridge.message.ProtocolVersion;
import io.mcpbridge.message.Request;
import org.jspecify.annotations.Nullable;

/**
 * What a request of the modern era says of its client in {@code _meta}. None of it is proven.
 *
 * @param version the revision that it is written in
 * @param declared what the client can, raw JSON as it wrote it
 * @param info its name and the like, raw JSON as it wrote it
 * @param clientId the id that it goes by, or the empty string
 * @param card the same, read
 */
record Envelope(String version, String declared, String info, String clientId, ClientCard card) {

    /** Reads a request that {@link ModernRequestCheck} has passed. */
    static Envelope read(Request request) {
        var version = request.text(Part.PROTOCOL_VERSION).orElseThrow();
        var declared = declared(request);
        var info = info(request);
        var clientId = clientId(request);
        var card = ClientCard.ofEnvelope(new ProtocolVersion(version), declared, info, clientId);
        return new Envelope(version, declared, info, clientId, card);
    }

    /** Whether this is also what another request says. */
    boolean isIn(Request request) {
        return version.equals(request.text(Part.PROTOCOL_VERSION).orElse(""))
                && declared.equals(declared(request))
                && info.equals(info(request))
                && clientId.equals(clientId(request));
    }

    /** The beginning of a caller; who it is and where it is heard are for the front to say. */
    Caller.Builder caller() {
        return Caller.builder()
                .clientId(clientId)
                .version(card.agreed())
                .capabilities(card.capabilities())
                .declared(declared)
                .info(info);
    }

    /** The mildest log messages that a request asks for, null if it asks for none. */
    static @Nullable LogLevel logLevel(Request request) {
        return request.text(Part.LOG_LEVEL).flatMap(LogLevel::parse).orElse(null);
    }

    private static String declared(Request request) {
        return request.raw(Part.CLIENT_CAPABILITIES).orElse("{}");
    }

    private static String info(Request request) {
        return request.raw(Part.CLIENT_INFO).orElse("{}");
    }

    private static String clientId(Request request) {
        return request.text(Part.CLIENT_ID).orElse("");
    }
}
