package io.mcpbridge.message;

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
        return (Request) Assembly.request(id, method).done();
    }

    /**
     * A request with params.
     *
     * @param paramsJson a JSON object or array
     * @throws IllegalArgumentException if the params are not JSON
     */
    public static Request of(MessageId id, String method, String paramsJson) {
        return (Request)
                Assembly.request(id, method).with(Part.PARAMS, paramsJson).done();
    }

    /** What the answer will carry. */
    public MessageId id() {
        return id;
    }

    /** What is asked; one of the constants of {@link Methods} if it is known. */
    public String method() {
        return method;
    }

    /** Names method and id; the body may hold secrets. */
    @Override
    public String toString() {
        return "Request[" + method + ", id=" + id.raw() + "]";
    }
}
