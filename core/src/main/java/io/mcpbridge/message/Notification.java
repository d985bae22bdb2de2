package io.mcpbridge.message;

/** A message that gets no answer. */
public final class Notification extends Message {

    private final String method;

    Notification(byte[] json, Spans spans, String method) {
        super(json, spans);
        this.method = method;
    }

    /** A notification without params. */
    public static Notification of(String method) {
        return (Notification) MessageBuilder.notification(method).done();
    }

    /**
     * A notification with params.
     *
     * @param paramsJson a JSON object or array
     * @throws IllegalArgumentException if the params are not JSON
     */
    public static Notification of(String method, String paramsJson) {
        return (Notification) MessageBuilder.notification(method)
                .with(MessageField.PARAMS, paramsJson)
                .done();
    }

    /** A notification that the sender of a request does not wait for its answer any more. */
    public static Notification cancelled(MessageId request, String reason) {
        return of(
                Methods.CANCELLED,
                "{\"requestId\":%s,\"reason\":%s}".formatted(request.raw(), JsonStrings.quote(reason)));
    }

    /** The method; one of the constants of {@link Methods} if it is known. */
    public String method() {
        return method;
    }

    /** Names the method; the body may hold secrets. */
    @Override
    public String toString() {
        return "Notification[" + method + "]";
    }

    /** Progress has its token in params, everything else in {@code _meta}. */
    @Override
    int slot(MessageField part) {
        boolean moved = part == MessageField.PROGRESS_TOKEN && method.equals(Methods.PROGRESS);
        return moved ? FieldNumbers.PARAMS_PROGRESS_TOKEN : super.slot(part);
    }
}
