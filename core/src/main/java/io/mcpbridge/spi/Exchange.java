package io.mcpbridge.spi;

import io.mcpbridge.call.MessageHeaders;
import io.mcpbridge.call.Principal;
import io.mcpbridge.call.RequestOrigin;
import io.mcpbridge.message.Message;
import java.util.Optional;

/**
 * One request or message of a client, and the response to it. Any thread may use it; its methods do not block.
 *
 * <p>A byte-stream connection begins with one exchange of kind {@link Kind#LISTEN}, which stays open as long as the
 * connection. The bridge offers messages that belong to no request there.
 */
public interface Exchange extends RequestOrigin {

    /** The client's action. */
    enum Kind {
        /** It sent a message: a line, or a POST. */
        MESSAGE,
        /** It listens for messages that belong to no request: a GET, or the connection itself. */
        LISTEN,
        /** It resumes a broken stream: a GET with {@code Last-Event-ID}. */
        RESUME,
        /** It ends its session: a DELETE. */
        END
    }

    /** The result of offering a message. */
    enum Offer {
        /** The message is written, or is the next to be written. */
        SENT,
        /** The message waits behind others, within the limits. */
        QUEUED,
        /** The queue is full or the client has disconnected; the message is dropped. */
        FULL
    }

    Kind kind();

    /** The message; empty unless the kind is {@link Kind#MESSAGE}. */
    Optional<Message> message();

    /** The identity of the sender. */
    Principal principal();

    /**
     * Sets the session that the exchange belongs to; called before the first offer. Only an exchange of the same
     * session can resume a stream. For {@link Kind#RESUME}, this starts the replay.
     */
    void bind(String session);

    /** Sends a message that does not end the exchange; on HTTP the first one commits to an event stream. */
    Offer offer(Message event);

    /** Ends the exchange; later messages are dropped. */
    void end(Ending ending);

    /**
     * Runs {@code action} once if the client disconnects before the end, or if the stream of this exchange ends or is
     * resumed elsewhere; at once if that has already happened. The bridge decides whether that cancels a call.
     */
    void onAbandoned(Runnable action);

    /**
     * The end of an exchange. Byte streams write the message, if there is one, and ignore status and headers.
     *
     * @param status the HTTP status, free to choose until the stream is committed
     */
    record Ending(int status, MessageHeaders headers, Optional<Message> message) {
        /** The answer to a request. */
        public static Ending answer(Message message) {
            return new Ending(200, MessageHeaders.EMPTY, Optional.of(message));
        }

        /** The notification or response was accepted; nothing follows. */
        public static Ending accepted() {
            return new Ending(202, MessageHeaders.EMPTY, Optional.empty());
        }

        /**
         * A normal end without a message. A request that ends this way gets no answer, as after its cancellation by the
         * client; over HTTP, the response is an event stream that ends.
         */
        public static Ending empty() {
            return new Ending(200, MessageHeaders.EMPTY, Optional.empty());
        }

        /** Rejected with an HTTP status and a JSON-RPC error. */
        public static Ending refused(int status, Message error) {
            return new Ending(status, MessageHeaders.EMPTY, Optional.of(error));
        }

        /** Rejected with an HTTP status alone. */
        public static Ending refused(int status) {
            return new Ending(status, MessageHeaders.EMPTY, Optional.empty());
        }

        /** A copy with one more header. */
        public Ending withHeader(String name, String value) {
            return new Ending(status, headers.with(name, value), message);
        }
    }
}
