package io.mcpbridge.downstream.modern;

import io.mcpbridge.downstream.calls.Refusals;
import io.mcpbridge.downstream.calls.ServerCard;
import io.mcpbridge.failure.ErrorCode;
import io.mcpbridge.message.ProtocolVersion;
import io.mcpbridge.message.Request;
import io.mcpbridge.message.Response;
import io.mcpbridge.spi.Ending;

/** The errors of the modern era, each with its HTTP status. */
public final class ModernErrors {
    private static final int HEADER_MISMATCH = -32020;
    private static final int UNSUPPORTED_VERSION = -32022;

    private ModernErrors() {}

    /** The HTTP status for an answer that is an error with this code. */
    static int status(String code) {
        return switch (code) {
            case "-32601" -> 404;
            case "-32020", "-32021", "-32022" -> 400;
            default -> 200;
        };
    }

    /** Headers and body do not say the same. */
    static Ending headerMismatch(Request request, String words) {
        return Ending.refused(400, Response.error(request.id(), HEADER_MISMATCH, words));
    }

    /** @param claim the raw JSON text of the revision that the request names */
    static Ending unsupportedVersion(Request request, String claim) {
        var words =
                "protocol version %s is not served here; use one of %s".formatted(claim, ServerCard.MODERN_REVISIONS);
        var data = "{\"supported\":%s,\"requested\":%s}".formatted(ServerCard.MODERN_REVISIONS, claim);
        return Ending.refused(400, Response.error(request.id(), UNSUPPORTED_VERSION, words, data));
    }

    /** The envelope in {@code _meta} is not what every request needs. */
    static Ending invalidEnvelope(Request request, String words) {
        return Refusals.of(400, request, ErrorCode.INVALID_PARAMS, words);
    }

    /** The era has no such method. */
    static Ending noSuchMethod(Request request) {
        var words = "there is no method '%s' in protocol version %s"
                .formatted(request.method(), ProtocolVersion.LATEST.text());
        return Refusals.of(404, request, ErrorCode.METHOD_NOT_FOUND, words);
    }
}
