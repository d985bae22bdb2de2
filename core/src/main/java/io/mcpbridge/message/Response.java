package io.mcpbridge.message;

import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** A JSON-RPC response: the result or the error of a request. */
public final class Response extends Message {

    private final @Nullable MessageId id;

    Response(byte[] json, Spans spans, @Nullable MessageId id) {
        super(json, spans);
        this.id = id;
    }

    /**
     * A result.
     *
     * @param resultJson any JSON value
     * @throws IllegalArgumentException if the result is not JSON
     */
    public static Response result(MessageId id, String resultJson) {
        return (Response) of(member(MessageField.ID, id.raw()), MessageField.RESULT, resultJson);
    }

    /** An error without data. */
    public static Response error(MessageId id, int code, String message) {
        return error(member(MessageField.ID, id.raw()), code, message, "");
    }

    /**
     * An error with data.
     *
     * @param dataJson any JSON value
     * @throws IllegalArgumentException if the data are not JSON
     */
    public static Response error(MessageId id, int code, String message, String dataJson) {
        return error(member(MessageField.ID, id.raw()), code, message, ",\"data\":" + dataJson);
    }

    /** An error for a message whose id could not be read. It has no {@code id} member. */
    public static Response error(int code, String message) {
        return error("", code, message, "");
    }

    /** An error with data for a message whose id could not be read. It has no {@code id} member. */
    public static Response error(int code, String message, String dataJson) {
        return error("", code, message, ",\"data\":" + dataJson);
    }

    private static Response error(String idMember, int code, String message, String dataMember) {
        var error = "{\"code\":" + code + ",\"message\":" + JsonStrings.quote(message) + dataMember + "}";
        return (Response) of(idMember, MessageField.ERROR, error);
    }

    /** The id of the request; empty only in an error for a message whose id could not be read. */
    public Optional<MessageId> id() {
        return Optional.ofNullable(id);
    }

    /** Whether this is an error rather than a result. A result may still report that a tool failed. */
    public boolean isError() {
        return has(MessageField.ERROR);
    }

    /** Contains only kind and id, since the body may contain secrets. */
    @Override
    public String toString() {
        return "Response[" + (isError() ? "error" : "result") + ", id=" + (id == null ? "none" : id.raw()) + "]";
    }
}
