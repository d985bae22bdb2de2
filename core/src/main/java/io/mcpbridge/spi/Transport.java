package io.mcpbridge.spi;

import io.mcpbridge.call.Deadline;
import io.mcpbridge.failure.ProtocolException;
import io.mcpbridge.message.Message;
import io.mcpbridge.message.MessageId;
import java.util.Optional;

/**
 * One connection to one server. It neither retries nor matches answers to requests.
 *
 * <p>{@link #open} is called first and once; then any thread may send, abandon and close. A second close has no effect.
 * After {@link Receiver#closed}, the receiver is not called again.
 */
public interface Transport extends AutoCloseable {

    /**
     * Connects, and blocks until {@code deadline} at most. From then on, {@code receiver} gets the incoming messages.
     *
     * @throws io.mcpbridge.failure.TransportException if the server cannot be reached or started
     * @throws InterruptedException if the waiting thread is interrupted; nothing is left open then
     */
    void open(Receiver receiver, Deadline deadline) throws InterruptedException;

    /**
     * Sends a message, or queues it. Never blocks, except that it may use this thread if {@link
     * Outgoing#callerWaits()}; may call the receiver before it returns. Each {@code out} with a request ends with a
     * message, {@link Receiver#failed} or {@link Receiver#closed}. A message that is sent after the connection has
     * ended always ends with {@link Receiver#closed}, whether that call has happened or is about to happen.
     */
    void send(Outgoing out);

    /**
     * Cancels {@code out}. A frame that is not written yet is removed from the queue; a written request is cancelled in
     * the wire form of its era. If each request has its own stream, nothing more is received for it. On a shared
     * stream, a late answer is passed on, since it shows that the server has finished the request.
     *
     * @return true only if the message was removed before any byte of it was written
     */
    boolean abandon(Outgoing out, String reason);

    /** The traits of this connection. */
    TransportTraits traits();

    /** The session id that the server assigned; empty if it assigned none. */
    default Optional<String> sessionId() {
        return Optional.empty();
    }

    /** Closes the connection and ends everything started for it; may block for a bounded time. */
    @Override
    void close();

    /**
     * Closes the connection without a grace period: a process that was started for it is killed, with all of its
     * children.
     */
    default void closeAtOnce() {
        close();
    }

    /**
     * Begins to close the connection and never blocks. The caller then calls {@link #close}, whose grace period counts
     * from now. A process that was started for the connection gets the end of its input and a request to end.
     */
    default void hangUp() {}

    /**
     * Receives the messages and the failures of a transport. The transport calls it on its own threads, one at a time
     * per stream; no method blocks on a shared stream.
     */
    interface Receiver {

        /** Called before the first byte of {@code out} is written; its delivery is unknown from then on. */
        void writing(Outgoing out);

        /**
         * Called when a message has arrived.
         *
         * @param stream the request on whose stream the message arrived, if each request has its own stream
         */
        void message(Message message, Optional<Outgoing> stream);

        /** Called when one request has failed; the connection stays open. */
        void failed(Outgoing out, RequestFailure why);

        /**
         * Called when a shared stream received invalid input; the connection stays open and the input is dropped.
         *
         * @param answerTo the id of the request that the input seems to answer; empty if none can be read
         */
        void unreadable(ProtocolException why, Optional<MessageId> answerTo);

        /** Called once when the connection has ended, with all requests in progress on it. */
        void closed(Closed why);
    }
}
