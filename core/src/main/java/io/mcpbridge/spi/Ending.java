package io.mcpbridge.spi;

import io.mcpbridge.call.Metadata;
import io.mcpbridge.message.Message;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * How an exchange ends. Byte streams write the message, where there is one, and ignore status and headers.
 */
public final class Ending {
    private final int status;
    private final Metadata headers;
    private final @Nullable Message message;

    private Ending(int status, Metadata headers, @Nullable Message message) {
        this.status = status;
        this.headers = headers;
        this.message = message;
    }

    /** The answer to a request. */
    public static Ending answer(Message message) {
        return new Ending(200, Metadata.EMPTY, message);
    }

    /** The notification or response was taken; there is nothing to say. */
    public static Ending accepted() {
        return new Ending(202, Metadata.EMPTY, null);
    }

    /**
     * There is nothing to say and nothing went wrong. As the end of a request it leaves that without an answer, as whoever
     * has cancelled it wants: over HTTP the response is an event stream that ends.
     */
    public static Ending empty() {
        return new Ending(200, Metadata.EMPTY, null);
    }

    /** Turned away with an HTTP status and a JSON-RPC error. */
    public static Ending refused(int status, Message error) {
        return new Ending(status, Metadata.EMPTY, error);
    }

    /** Turned away with an HTTP status alone. */
    public static Ending refused(int status) {
        return new Ending(status, Metadata.EMPTY, null);
    }

    /** The same with one more header. */
    public Ending withHeader(String name, String value) {
        return new Ending(status, headers.with(name, value), message);
    }

    /** The HTTP status, free to choose until the stream is committed. */
    public int status() {
        return status;
    }

    public Metadata headers() {
        return headers;
    }

    public Optional<Message> message() {
        return Optional.ofNullable(message);
    }
}
