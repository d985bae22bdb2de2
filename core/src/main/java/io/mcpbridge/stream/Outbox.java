package io.mcpbridge.stream;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.mcpbridge.message.Message;
import io.mcpbridge.spi.ByteBudget;
import io.mcpbridge.spi.Exchange.Offer;
import java.io.IOException;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * What waits for one client. Any thread may use it, and none waits.
 *
 * <p>The thread that brings a message writes it, unless another is at it already; what does not fit the wire
 * waits here, bounded in bytes, and goes on with {@link #flush}. A full outbox keeps only the latest progress
 * of each token and one list_changed of each method, and drops log messages; it never drops an answer.
 */
public final class Outbox {

    /** How many pieces one thread writes before it leaves the rest to the wire's thread. */
    private static final int TURN = 64;

    private final Wire wire;
    private final LineWriter writer;
    private final Owner owner;
    private final ReentrantLock lock = new ReentrantLock();

    @GuardedBy("lock")
    private final OutboxQueue queue;

    @GuardedBy("lock")
    private Writing writing = Writing.NOBODY;

    @GuardedBy("lock")
    private boolean finishing;

    @GuardedBy("lock")
    private boolean closed;

    /** The message that is written or has just been; belongs to whoever writes. */
    private @Nullable Message current;

    /**
     * Makes the outbox of one connection.
     *
     * @param maxBytes how many bytes may wait in it, the message that is being written included
     * @param budget how many may wait in all outboxes that share it
     */
    public Outbox(Wire wire, int maxBytes, ByteBudget budget, Owner owner) {
        this.wire = wire;
        this.writer = new LineWriter(wire);
        this.queue = new OutboxQueue(maxBytes, budget);
        this.owner = owner;
    }

    /**
     * Sends a message if there is room for it.
     *
     * @return {@link Offer#FULL} if it is dropped; for an answer the connection has to end then
     */
    public Offer offer(Message message) {
        boolean isFirst;
        lock.lock();
        try {
            isFirst = writing == Writing.NOBODY;
            if (closed || finishing || !queue.add(message)) {
                return Offer.FULL;
            }
            if (!isFirst) {
                return Offer.QUEUED;
            }
            writing = Writing.SOMEBODY;
        } finally {
            lock.unlock();
        }
        drain();
        return Offer.SENT;
    }

    /** Goes on writing: the wire calls it after {@link Wire#awaitWritable}; at any other time it does nothing. */
    public void flush() {
        lock.lock();
        try {
            if (writing != Writing.WIRE) {
                return;
            }
            writing = Writing.SOMEBODY;
        } finally {
            lock.unlock();
        }
        drain();
    }

    /** Takes nothing more, and tells the owner when everything is written. */
    public void finish() {
        lock.lock();
        try {
            finishing = true;
            if (closed || writing != Writing.NOBODY) {
                return;
            }
        } finally {
            lock.unlock();
        }
        owner.finished();
    }

    /** Drops what waits and takes nothing more. */
    public void close() {
        lock.lock();
        try {
            if (!closed) {
                closed = true;
                queue.clear();
            }
        } finally {
            lock.unlock();
        }
    }

    /** How many bytes wait, the message that is being written included. */
    public long waitingBytes() {
        lock.lock();
        try {
            return queue.bytes();
        } finally {
            lock.unlock();
        }
    }

    private void drain() {
        try {
            for (int pieces = 0; pieces < TURN; pieces++) {
                if (writer.isIdle() && !next()) {
                    return;
                }
                if (!writer.write()) {
                    break;
                }
            }
        } catch (IOException broken) {
            owner.broken(broken);
            return;
        }
        leaveToWire();
    }

    /** Takes up the next message; false if there is none, and nobody writes any more. */
    private boolean next() {
        boolean finished;
        lock.lock();
        try {
            if (current != null && !closed) {
                queue.written(current);
            }
            current = queue.poll();
            if (current != null) {
                writer.begin(current);
                return true;
            }
            writing = Writing.NOBODY;
            finished = finishing && !closed;
        } finally {
            lock.unlock();
        }
        if (finished) {
            owner.finished();
        }
        return false;
    }

    private void leaveToWire() {
        lock.lock();
        try {
            writing = Writing.WIRE;
        } finally {
            lock.unlock();
        }
        wire.awaitWritable();
    }

    /** Who goes on writing. */
    private enum Writing {
        NOBODY,
        SOMEBODY,
        WIRE
    }

    /** Hears how an outbox ends; called without a lock, by whichever thread wrote. */
    public interface Owner {

        /** Everything is written after {@link Outbox#finish}. */
        void finished();

        /** The wire is broken. */
        void broken(IOException why);
    }
}
