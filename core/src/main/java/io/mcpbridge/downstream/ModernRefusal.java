package io.mcpbridge.downstream;

import io.mcpbridge.message.Era;
import io.mcpbridge.message.JsonText;
import io.mcpbridge.message.Part;
import io.mcpbridge.message.ProtocolVersion;
import io.mcpbridge.message.Request;
import io.mcpbridge.message.Response;
import io.mcpbridge.spi.Ending;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * Turns requests of the modern era away in its own words, so that a client which speaks both eras falls back to
 * {@code initialize}.
 */
final class ModernRefusal {
    private static final int HEADER_MISMATCH = -32020;
    private static final int UNSUPPORTED_VERSION = -32022;
    private static final int INVALID_PARAMS = -32602;
    private static final String VERSION_KEY = "io.modelcontextprotocol/protocolVersion";

    private static final String SUPPORTED = ProtocolVersion.KNOWN.stream()
            .filter(version -> version.era() == Era.LEGACY)
            .map(version -> JsonText.quote(version.text()))
            .collect(Collectors.joining(",", "[", "]"));

    private ModernRefusal() {}

    /** The refusal of a request that says in {@code _meta} which revision it is written in; empty if it does not. */
    static Optional<Ending> ofClaim(Request request) {
        return request.raw(Part.PROTOCOL_VERSION).map(claim -> Ending.refused(400, unsupported(request, claim)));
    }

    /** The refusal of a request whose HTTP header names a modern revision, though it is not written in it. */
    static Ending ofHeader(Request request, String header, boolean isInitialize) {
        var code = isInitialize ? HEADER_MISMATCH : INVALID_PARAMS;
        var words = isInitialize
                ? "'initialize' belongs to revisions before 2026-07-28, but the header '%s' is '%s'"
                : "'_meta' lacks '" + VERSION_KEY + "', though the header '%s' is '%s'";
        return Ending.refused(
                400, Response.error(request.id(), code, words.formatted(HttpIntake.VERSION_HEADER, header)));
    }

    private static Response unsupported(Request request, String claim) {
        var message = "protocol version %s is not served here; begin with 'initialize' in one of %s"
                .formatted(claim, SUPPORTED);
        var data = "{\"supported\":%s,\"requested\":%s}".formatted(SUPPORTED, claim);
        return Response.error(request.id(), UNSUPPORTED_VERSION, message, data);
    }
}
