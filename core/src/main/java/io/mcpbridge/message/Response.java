package io.mcpbridge.message;

import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The answer to a request: either a result or an error. */
public final class Response extends Message {

    private final @Nullable MessageId id;
    private final List<UnreadableElement> unreadable;

    Response(byte[] json, Spans spans, @Nullable MessageId id) {
        this(json, spans, id, List.of());
    }

    private Response(byte[] json, Spans spans, @Nullable MessageId id, List<UnreadableElement> unreadable) {
        super(json, spans);
        this.id = id;
        this.unreadable = unreadable;
    }

    /** The same, in which these elements of a list are {@code null}, since they cannot be read. */
    Response without(List<UnreadableElement> elements) {
        return new Response(array(), spans(), id, List.copyOf(elements));
    }

    /**
     * An answer.
     *
     * @param resultJson any JSON value
     * @throws IllegalArgumentException if the result is not JSON
     */
    public static Response result(MessageId id, String resultJson) {
        return (Response) Assembly.response(id).with(Part.RESULT, resultJson).done();
    }

    /** A failure without further data. */
    public static Response error(MessageId id, int code, String message) {
        return (Response) Assembly.response(id).error(code, message).done();
    }

    /**
     * A failure.
     *
     * @param dataJson any JSON value
     * @throws IllegalArgumentException if the data are not JSON
     */
    public static Response error(MessageId id, int code, String message, String dataJson) {
        return (Response) Assembly.response(id).error(code, message, dataJson).done();
    }

    /** A failure of something whose id could not be read; the message has no {@code id} at all. */
    public static Response error(int code, String message) {
        return (Response) Assembly.response().error(code, message).done();
    }

    /** A failure of something whose id could not be read, with data; the message has no {@code id} at all. */
    public static Response error(int code, String message, String dataJson) {
        return (Response) Assembly.response().error(code, message, dataJson).done();
    }

    /** The id of the request; empty only in an error about something whose id could not be read. */
    public Optional<MessageId> id() {
        return Optional.ofNullable(id);
    }

    /** Whether this is an error rather than a result; a result may still tell of a tool that failed. */
    public boolean isError() {
        return has(Part.ERROR);
    }

    /** What of a list in it cannot be read, and is {@code null} or {@code 0} there; empty in nearly every answer. */
    public List<UnreadableElement> unreadable() {
        return unreadable;
    }

    /** Names kind and id; the body may hold secrets. */
    @Override
    public String toString() {
        return "Response[" + (isError() ? "error" : "result") + ", id=" + (id == null ? "none" : id.raw()) + "]";
    }
}
