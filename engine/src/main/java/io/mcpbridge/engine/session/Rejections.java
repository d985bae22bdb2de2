package io.mcpbridge.engine.session;

import io.mcpbridge.call.Call;
import io.mcpbridge.call.JsonRpcErrorMapper;
import io.mcpbridge.failure.ErrorCode;
import io.mcpbridge.failure.Failure;
import io.mcpbridge.message.ProtocolVersion;
import io.mcpbridge.message.Request;
import io.mcpbridge.message.Response;
import io.mcpbridge.spi.Exchange;
import io.mcpbridge.spi.Exchange.Ending;

/** Creates the errors for requests that do not become calls, each with its HTTP status. */
final class Rejections {
    static final int BAD_REQUEST = 400;
    static final int TOO_MANY_REQUESTS = 429;
    private static final int NOT_FOUND = 404;
    private static final int HEADER_MISMATCH = -32020;
    private static final int UNSUPPORTED_VERSION = -32022;

    private Rejections() {}

    static Ending of(int status, Request request, Failure why) {
        return Ending.refused(status, JsonRpcErrorMapper.toResponse(request.id(), why, ""));
    }

    static Ending of(int status, Call call, Failure why) {
        var error = JsonRpcErrorMapper.toResponse(call.request().id(), why, call.correlationId());
        return Ending.refused(status, error);
    }

    /** Returns the error for an exchange that may have no request. */
    static Ending of(int status, Exchange exchange, String why) {
        var failure = Failure.of(ErrorCode.INVALID_REQUEST, why);
        if (exchange.message().orElse(null) instanceof Request request) {
            return of(status, request, failure);
        }
        return Ending.refused(status, JsonRpcErrorMapper.toResponse(failure));
    }

    static Failure idInUse(Request request) {
        var why = "the id %s is in use by a request that is not answered yet"
                .formatted(request.id().raw());
        return Failure.of(ErrorCode.INVALID_REQUEST, why);
    }

    /** Headers and body differ. */
    static Ending headerMismatch(Request request, String words) {
        return Ending.refused(BAD_REQUEST, Response.error(request.id(), HEADER_MISMATCH, words));
    }

    /** @param claim the raw JSON text of the revision that the request names */
    static Ending unsupportedVersion(Request request, String claim) {
        var words =
                "protocol version %s is not served here; use one of %s".formatted(claim, ServerCard.MODERN_REVISIONS);
        var data = "{\"supported\":%s,\"requested\":%s}".formatted(ServerCard.MODERN_REVISIONS, claim);
        return Ending.refused(BAD_REQUEST, Response.error(request.id(), UNSUPPORTED_VERSION, words, data));
    }

    /** The params of a request, including its {@code _meta}, violate the specification. */
    static Ending invalidParams(Request request, String words) {
        return of(BAD_REQUEST, request, Failure.of(ErrorCode.INVALID_PARAMS, words));
    }

    /** The modern era has no such method. */
    static Ending unknownMethod(Request request) {
        var words = "there is no method '%s' in protocol version %s"
                .formatted(request.method(), ProtocolVersion.LATEST.text());
        return of(NOT_FOUND, request, Failure.of(ErrorCode.METHOD_NOT_FOUND, words));
    }
}
