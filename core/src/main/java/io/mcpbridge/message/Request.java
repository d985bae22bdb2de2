package io.mcpbridge.message;

import io.mcpbridge.message.EnvelopeScanner.MemberFinder;
import io.mcpbridge.message.FieldNumbers.Scope;
import java.util.Optional;

/** A message that asks for an answer. */
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
        return (Request) MessageBuilder.request(id, method).done();
    }

    /**
     * A request with params.
     *
     * @param paramsJson a JSON object or array
     * @throws IllegalArgumentException if the params are not JSON
     */
    public static Request of(MessageId id, String method, String paramsJson) {
        return (Request) MessageBuilder.request(id, method)
                .with(MessageField.PARAMS, paramsJson)
                .done();
    }

    /** The id, which the response repeats. */
    public MessageId id() {
        return id;
    }

    /** The method; one of the constants of {@link Methods} if it is known. */
    public String method() {
        return method;
    }

    /** The text of a member of {@code params._meta}, whatever its key; looked for anew each time. */
    public Optional<String> metaText(String key) {
        var range = has(MessageField.META) && array()[start(MessageField.META)] == '{'
                ? MemberFinder.find(array(), spans(), MessageField.META, Scope.META, key)
                : null;
        return range == null || array()[range.start()] != '"'
                ? Optional.empty()
                : Optional.of(JsonStrings.decode(array(), range.start() + 1, range.end() - 1));
    }

    /** Names method and id; the body may hold secrets. */
    @Override
    public String toString() {
        return "Request[" + method + ", id=" + id.raw() + "]";
    }
}
