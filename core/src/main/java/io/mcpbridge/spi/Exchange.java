package io.mcpbridge.spi;

import io.mcpbridge.call.MessageHeaders;
import io.mcpbridge.call.Principal;
import io.mcpbridge.call.RequestOrigin;
import io.mcpbridge.message.Message;
import java.util.Optional;

/**
 * One thing that a client sent, and the way back. Any thread may use it; nothing here waits.
 *
 * <p>A connection of a byte stream begins with one exchange of kind {@link Kind#LISTEN} that stays open as
 * long as the connection: what belongs to no request is offered there.
 */
public interface Exchange extends RequestOrigin {

    /** The client's action. */
    enum Kind {
        /** It sent a message: a line, or a POST. */
        MESSAGE,
        /** It wants what belongs to no request: a GET, or the connection itself. */
        LISTEN,
        /** It takes up a broken stream: a GET with {@code Last-Event-ID}. */
        RESUME,
        /** It ends its session: a DELETE. */
        END
    }

    /** The result of offering a message. */
    enum Offer {
        /** It is written, or on its way with nothing before it. */
        SENT,
        /** It waits behind others, within the bounds. */
        QUEUED,
        /** There is no room, or the client is gone; the message is dropped. */
        FULL
    }

    Kind kind();

    /** The message; empty unless the kind is {@link Kind#MESSAGE}. */
    Optional<Message> message();

    /** Who sent it. */
    Principal principal();

    /**
     * Names the session that the exchange belongs to, before the first offer. Where streams can be taken up
     * again, only exchanges of the same session may; for {@link Kind#RESUME} this begins the replay.
     */
    void bind(String session);

    /** Sends a message that does not end the exchange; on HTTP the first one commits to an event stream. */
    Offer offer(Message event);

    /** Ends the exchange; what comes after it is dropped. */
    void end(Ending ending);

    /**
     * Runs {@code action} once if the client goes away before the end, or if the stream that this exchange is on
     * ends or goes on elsewhere; at once if that is so already. Whether that cancels anything is for the core to
     * decide.
     */
    void onAbandoned(Runnable action);

    /**
     * How an exchange ends. Byte streams write the message, where there is one, and ignore status and headers.
     *
     * @param status the HTTP status, free to choose until the stream is committed
     */
    record Ending(int status, MessageHeaders headers, Optional<Message> message) {
        /** The answer to a request. */
        public static Ending answer(Message message) {
            return new Ending(200, MessageHeaders.EMPTY, Optional.of(message));
        }

        /** The notification or response was taken; there is nothing to say. */
        public static Ending accepted() {
            return new Ending(202, MessageHeaders.EMPTY, Optional.empty());
        }

        /**
         * No message follows, and nothing went wrong. As the end of a request it leaves that without an answer, as a client that
         * cancels wants: over HTTP the response is an event stream that ends.
         */
        public static Ending empty() {
            return new Ending(200, MessageHeaders.EMPTY, Optional.empty());
        }

        /** Turned away with an HTTP status and a JSON-RPC error. */
        public static Ending refused(int status, Message error) {
            return new Ending(status, MessageHeaders.EMPTY, Optional.of(error));
        }

        /** Turned away with an HTTP status alone. */
        public static Ending refused(int status) {
            return new Ending(status, MessageHeaders.EMPTY, Optional.empty());
        }

        /** The same with one more header. */
        public Ending withHeader(String name, String value) {
            return new Ending(status, headers.with(name, value), message);
        }
    }
}
