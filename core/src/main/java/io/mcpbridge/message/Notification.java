package io.mcpbridge.message;

/** A JSON-RPC notification: a message without a response. */
public final class Notification extends Message {

    private final String method;

    Notification(byte[] json, Spans spans, String method) {
        super(json, spans);
        this.method = method;
    }

    /** A notification without params. */
    public static Notification of(String method) {
        return (Notification) of("", MessageField.METHOD, JsonStrings.quote(method));
    }

    /**
     * A notification with params.
     *
     * @param paramsJson a JSON object or array
     * @throws IllegalArgumentException if the params are not JSON
     */
    public static Notification of(String method, String paramsJson) {
        var named = member(MessageField.METHOD, JsonStrings.quote(method));
        return (Notification) of(named, MessageField.PARAMS, paramsJson);
    }

    /** Creates {@code notifications/cancelled} for a request: its sender no longer waits for the response. */
    public static Notification cancelled(MessageId request, String reason) {
        return of(
                Methods.CANCELLED,
                "{\"requestId\":%s,\"reason\":%s}".formatted(request.raw(), JsonStrings.quote(reason)));
    }

    /** The method; one of the constants of {@link Methods} if it is known. */
    public String method() {
        return method;
    }

    /** Contains only the method, since the body may contain secrets. */
    @Override
    public String toString() {
        return "Notification[" + method + "]";
    }

    /** The token of a progress notification is in params, any other in {@code _meta}. */
    @Override
    int slot(MessageField part) {
        boolean moved = part == MessageField.PROGRESS_TOKEN && method.equals(Methods.PROGRESS);
        return moved ? FieldNumbers.PARAMS_PROGRESS_TOKEN : super.slot(part);
    }
}
