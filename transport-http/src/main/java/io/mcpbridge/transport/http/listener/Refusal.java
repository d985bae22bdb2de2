package io.mcpbridge.transport.http.listener;

import io.mcpbridge.call.Metadata;
import io.mcpbridge.failure.ErrorCode;
import io.mcpbridge.failure.Failure;
import io.mcpbridge.message.Message;
import io.mcpbridge.message.MessageId;
import io.mcpbridge.message.Response;
import io.netty.handler.codec.http.TooLongHttpHeaderException;
import io.netty.handler.codec.http.TooLongHttpLineException;
import java.util.Optional;

/**
 * Why a request is turned away before the core sees it.
 *
 * @param status of HTTP
 * @param error what the body says; it shows nothing of the inside
 * @param headers that belong to the status
 * @param endsConnection whether the rest of the connection cannot be trusted or is not worth reading
 */
record Refusal(int status, Message error, Metadata headers, boolean endsConnection) {

    static Refusal of(int status, String words) {
        return new Refusal(
                status, Response.error(ErrorCode.INVALID_REQUEST.jsonRpcCode(), words), Metadata.EMPTY, false);
    }

    /** The request cannot be read, so nothing that follows it can be. */
    static Refusal fatal(int status, String words) {
        var refusal = of(status, words);
        return new Refusal(status, refusal.error, refusal.headers, true);
    }

    Refusal with(String header, String value) {
        return new Refusal(status, error, headers.with(header, value), endsConnection);
    }

    /** What came is not a request. */
    static Refusal unreadable(Throwable cause) {
        if (cause instanceof TooLongHttpHeaderException) {
            return fatal(431, "the headers are too large");
        }
        return cause instanceof TooLongHttpLineException
                ? fatal(414, "the request line is too long")
                : fatal(400, "this is not a well-formed HTTP/1.1 request");
    }

    /** The error for a body that is not a message. */
    static Message malformed(Optional<MessageId> id, Failure failure) {
        int code = failure.code().jsonRpcCode();
        return id.map(known -> Response.error(known, code, failure.message()))
                .orElseGet(() -> Response.error(code, failure.message()));
    }
}
