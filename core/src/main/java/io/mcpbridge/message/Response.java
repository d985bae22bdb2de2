package io.mcpbridge.message;

import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The answer to a request: either a result or an error. */
public final class Response extends Message {

    private final @Nullable MessageId id;

    Response(byte[] json, Spans spans, @Nullable MessageId id) {
        super(json, spans);
        this.id = id;
    }

    /**
     * An answer.
     *
     * @param resultJson any JSON value
     * @throws IllegalArgumentException if the result is not JSON
     */
    public static Response result(MessageId id, String resultJson) {
        return (Response) MessageBuilder.response(id)
                .with(MessageField.RESULT, resultJson)
                .done();
    }

    /** A failure without further data. */
    public static Response error(MessageId id, int code, String message) {
        return (Response) MessageBuilder.response(id).error(code, message).done();
    }

    /**
     * A failure.
     *
     * @param dataJson any JSON value
     * @throws IllegalArgumentException if the data are not JSON
     */
    public static Response error(MessageId id, int code, String message, String dataJson) {
        return (Response)
                MessageBuilder.response(id).error(code, message, dataJson).done();
    }

    /** A failure of something whose id could not be read; the message has no {@code id} at all. */
    public static Response error(int code, String message) {
        return (Response) MessageBuilder.response().error(code, message).done();
    }

    /** A failure of something whose id could not be read, with data; the message has no {@code id} at all. */
    public static Response error(int code, String message, String dataJson) {
        return (Response)
                MessageBuilder.response().error(code, message, dataJson).done();
    }

    /** The id of the request; empty only in an error about something whose id could not be read. */
    public Optional<MessageId> id() {
        return Optional.ofNullable(id);
    }

    /** Whether this is an error rather than a result; a result may still tell of a tool that failed. */
    public boolean isError() {
        return has(MessageField.ERROR);
    }

    /** Names kind and id; the body may hold secrets. */
    @Override
    public String toString() {
        return "Response[" + (isError() ? "error" : "result") + ", id=" + (id == null ? "none" : id.raw()) + "]";
    }
}
