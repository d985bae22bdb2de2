package io.mcpbridge.transport.http.listener;

import io.mcpbridge.transport.http.internal.HeaderNames;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpUtil;
import io.netty.util.AsciiString;

/**
 * The head of a request, and what follows from all of it but the length of the body.
 *
 * @param received the request without its message
 * @param options the options of the response
 */
record RequestHead(
        HttpRequest request,
        RequestValidator.Validation validation,
        ReceivedRequest received,
        ResponseOptions options) {

    static RequestHead of(HttpRequest request, RequestValidator validator) {
        var validation = validator.judge(request);
        return new RequestHead(
                request,
                validation,
                ReceivedRequest.of(request, validation.principal()),
                new ResponseOptions(!HttpUtil.isKeepAlive(request), validation.crossOrigin()));
    }

    /** Whether another head differs in {@code Content-Length} at most. Clients repeat the heads of their requests. */
    boolean isRepeatedBy(HttpRequest other) {
        if (!request.method().equals(other.method())
                || !request.uri().equals(other.uri())
                || !request.protocolVersion().equals(other.protocolVersion())) {
            return false;
        }
        var ours = request.headers().iteratorCharSequence();
        var theirs = other.headers().iteratorCharSequence();
        while (ours.hasNext() && theirs.hasNext()) {
            var header = ours.next();
            var same = theirs.next();
            var isSame = AsciiString.contentEquals(header.getKey(), same.getKey())
                    && (AsciiString.contentEquals(header.getValue(), same.getValue())
                            || AsciiString.contentEqualsIgnoreCase(header.getKey(), HeaderNames.CONTENT_LENGTH));
            if (!isSame) {
                return false;
            }
        }
        return ours.hasNext() == theirs.hasNext();
    }
}
