package io.mcpbridge.spi;

import io.mcpbridge.call.Deadline;
import io.mcpbridge.failure.ProtocolException;
import io.mcpbridge.message.Message;
import io.mcpbridge.message.MessageId;
import java.util.Optional;

/**
 * One connection to one server. It neither retries nor matches answers to requests.
 *
 * <p>{@link #open} comes first and once; then any thread may send, abandon and close. Closing twice is
 * harmless. After {@link Receiver#closed} nothing more is received.
 */
public interface Transport extends AutoCloseable {

    /**
     * Connects, waiting until {@code deadline} at the longest; from then on {@code receiver} hears what comes.
     *
     * @throws io.mcpbridge.failure.TransportException if the server cannot be reached or started
     * @throws InterruptedException if the waiting thread is interrupted; nothing is left open then
     */
    void open(Receiver receiver, Deadline deadline) throws InterruptedException;

    /**
     * Takes a message for sending. Never waits, save that it may keep this thread where {@link
     * Outgoing#callerWaits()}; may call the receiver before it returns. Each {@code out} with a request ends
     * in a message, in {@link Receiver#failed} or in {@link Receiver#closed}; what is sent once the connection is over
     * always in the latter, be it told or about to be.
     */
    void send(Outgoing out);

    /**
     * Withdraws {@code out}: a frame that is not written yet is taken back, otherwise the request is cancelled
     * in the wire form of its era. Where requests have streams of their own nothing more is received for it; on a
     * shared stream an answer that comes all the same is passed on, since it shows that the server is done with it.
     *
     * @return true only if it was taken back before any byte of it was handed over
     */
    boolean abandon(Outgoing out, String reason);

    /** The kind of this connection. */
    TransportTraits traits();

    /** The id that the server gave this session; empty where it gave none. */
    default Optional<String> sessionId() {
        return Optional.empty();
    }

    /** Ends the connection and everything started for it; may wait for a bounded time. */
    @Override
    void close();

    /** The same, without patience: a process that was started for it is killed, with all that it started. */
    default void closeAtOnce() {
        close();
    }

    /**
     * Begins to end the connection and never waits; {@link #close} follows, and waits no longer than its patience from
     * now on. A process that was started for it loses its input and is asked to end.
     */
    default void hangUp() {}

    /**
     * Hears what a transport receives. The transport calls it from its own threads, one at a time per stream,
     * and no method of it waits on a shared stream.
     */
    interface Receiver {

        /** The first byte of {@code out} is about to be handed over; its delivery is unknown from here on. */
        void written(Outgoing out);

        /**
         * A message came.
         *
         * @param stream the request on whose stream it came, where each request has its own
         */
        void message(Message message, Optional<Outgoing> stream);

        /** One request failed; the connection goes on. */
        void failed(Outgoing out, RequestFailure why);

        /**
         * Something came on a shared stream that is not a message; the connection goes on without it.
         *
         * @param answerTo the id of the request that it seems to answer, where one can be read
         */
        void unreadable(ProtocolException why, Optional<MessageId> answerTo);

        /** The connection is over, with everything that was under way on it; comes once. */
        void closed(Closed why);
    }
}
