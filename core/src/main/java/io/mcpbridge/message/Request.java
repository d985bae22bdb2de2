package io.mcpbridge.message;

import io.mcpbridge.message.EnvelopeScanner.MemberFinder;
import io.mcpbridge.message.FieldNumbers.Scope;
import java.util.Optional;

/** A JSON-RPC request: a message that requires a response. */
public final class Request extends Message {

    private final MessageId id;
    private final String method;

    Request(byte[] json, Spans spans, MessageId id, String method) {
        super(json, spans);
        this.id = id;
        this.method = method;
    }

    /** A request without params. */
    public static Request of(MessageId id, String method) {
        return (Request) of(member(MessageField.ID, id.raw()), MessageField.METHOD, JsonStrings.quote(method));
    }

    /**
     * A request with params.
     *
     * @param paramsJson a JSON object or array
     * @throws IllegalArgumentException if the params are not JSON
     */
    public static Request of(MessageId id, String method, String paramsJson) {
        // One text, since a program makes one for each call.
        var json = "{\"jsonrpc\":\"2.0\",\"id\":" + id.raw() + ",\"method\":" + JsonStrings.quote(method)
                + ",\"params\":" + paramsJson.strip() + "}";
        return (Request) of(json, MessageField.PARAMS);
    }

    /** The id, which the response repeats. */
    public MessageId id() {
        return id;
    }

    /** The method; one of the constants of {@link Methods} if it is known. */
    public String method() {
        return method;
    }

    /** The text of a member of {@code params._meta} with any key; searched on each call. */
    public Optional<String> metaText(String key) {
        var range = has(MessageField.META) && array()[start(MessageField.META)] == '{'
                ? MemberFinder.find(array(), spans(), MessageField.META, Scope.META, key)
                : null;
        return range == null || array()[range.start()] != '"'
                ? Optional.empty()
                : Optional.of(JsonStrings.decode(array(), range.start() + 1, range.end() - 1));
    }

    /** Contains only method and id, since the body may contain secrets. */
    @Override
    public String toString() {
        return "Request[" + method + ", id=" + id.raw() + "]";
    }
}
