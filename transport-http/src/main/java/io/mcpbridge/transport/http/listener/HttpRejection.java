package io.mcpbridge.transport.http.listener;

import io.mcpbridge.call.MessageHeaders;
import io.mcpbridge.failure.ErrorCode;
import io.mcpbridge.failure.Failure;
import io.mcpbridge.message.Message;
import io.mcpbridge.message.MessageId;
import io.mcpbridge.message.Response;
import io.netty.handler.codec.http.TooLongHttpHeaderException;
import io.netty.handler.codec.http.TooLongHttpLineException;
import java.util.Optional;

/**
 * A response that rejects a request before the core sees it.
 *
 * @param status the HTTP status
 * @param error the body; it reveals no internals
 * @param headers the headers that the status requires
 * @param endsConnection whether the connection cannot be used any further
 */
record HttpRejection(int status, Message error, MessageHeaders headers, boolean endsConnection) {

    static HttpRejection of(int status, String words) {
        return new HttpRejection(
                status, Response.error(ErrorCode.INVALID_REQUEST.jsonRpcCode(), words), MessageHeaders.EMPTY, false);
    }

    /** A rejection that closes the connection: nothing after this request can be parsed. */
    static HttpRejection fatal(int status, String words) {
        var refusal = of(status, words);
        return new HttpRejection(status, refusal.error, refusal.headers, true);
    }

    HttpRejection with(String header, String value) {
        return new HttpRejection(status, error, headers.with(header, value), endsConnection);
    }

    /** The input is not a valid request. */
    static HttpRejection unreadable(Throwable cause) {
        if (cause instanceof TooLongHttpHeaderException) {
            return fatal(431, "the headers are too large");
        }
        return cause instanceof TooLongHttpLineException
                ? fatal(414, "the request line is too long")
                : fatal(400, "this is not a well-formed HTTP/1.1 request");
    }

    /** The error for a body that is not a JSON-RPC message. */
    static Message malformed(Optional<MessageId> id, Failure failure) {
        int code = failure.code().jsonRpcCode();
        return id.map(known -> Response.error(known, code, failure.message()))
                .orElseGet(() -> Response.error(code, failure.message()));
    }
}
