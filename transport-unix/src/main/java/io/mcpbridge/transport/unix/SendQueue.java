package io.mcpbridge.transport.unix;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.mcpbridge.spi.Outgoing;
import io.mcpbridge.stream.LineWriter;
import io.mcpbridge.stream.Wire;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * What waits until a server takes it. Any thread may use it, and none waits.
 *
 * <p>The thread that brings a message writes it, unless another is at it already; what does not fit the socket
 * goes on with {@link #flush}.
 */
final class SendQueue {

    /** How many pieces one thread writes before it leaves the rest to the socket's thread. */
    private static final int TURN = 64;

    private final ReentrantLock lock = new ReentrantLock();
    private final UnixTransportSettings limits;
    private final Wire wire;
    private final LineWriter writer;
    private final Owner owner;

    @GuardedBy("lock")
    private final ArrayDeque<Outgoing> waiting = new ArrayDeque<>();

    @GuardedBy("lock")
    private long bytes;

    @GuardedBy("lock")
    private Writing writing = Writing.NOBODY;

    @GuardedBy("lock")
    private boolean closed;

    /** The message that is written or has just been; belongs to whoever writes. */
    private @Nullable Outgoing current;

    SendQueue(UnixTransportSettings limits, Wire wire, Owner owner) {
        this.limits = limits;
        this.wire = wire;
        this.writer = new LineWriter(wire);
        this.owner = owner;
    }

    /** Sends the message, or says in words which limit it would break. */
    Optional<String> add(Outgoing out) {
        lock.lock();
        try {
            var refusal = refusal(out);
            if (refusal.isPresent()) {
                return refusal;
            }
            waiting.add(out);
            bytes += size(out);
            if (writing != Writing.NOBODY) {
                return Optional.empty();
            }
            writing = Writing.SOMEBODY;
        } finally {
            lock.unlock();
        }
        drain();
        return Optional.empty();
    }

    /** Takes a message back; false if it is not waiting any more. */
    boolean remove(Outgoing out) {
        lock.lock();
        try {
            var removed = waiting.remove(out);
            bytes -= removed ? size(out) : 0;
            return removed;
        } finally {
            lock.unlock();
        }
    }

    /** Goes on writing: for the wire, after it was asked to tell that more fits. */
    void flush() {
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

    /** Drops what waits, and takes nothing more. */
    void close() {
        lock.lock();
        try {
            closed = true;
            waiting.clear();
        } finally {
            lock.unlock();
        }
    }

    @GuardedBy("lock")
    private Optional<String> refusal(Outgoing out) {
        if (closed) {
            return Optional.of("the connection is closed");
        }
        if (waiting.size() >= limits.maxQueuedMessages()) {
            return Optional.of("%d messages wait for the server, which is 'max-queued-messages'"
                    .formatted(limits.maxQueuedMessages()));
        }
        if (bytes > 0 && bytes + size(out) > limits.maxQueuedBytes()) {
            return Optional.of("%d bytes wait for the server and %d more would be over 'max-queued-bytes', %d"
                    .formatted(bytes, size(out), limits.maxQueuedBytes()));
        }
        return Optional.empty();
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
        Outgoing next;
        lock.lock();
        try {
            bytes -= current == null ? 0 : size(current);
            next = waiting.poll();
            current = next;
            if (next == null) {
                writing = Writing.NOBODY;
                return false;
            }
        } finally {
            lock.unlock();
        }
        owner.written(next);
        writer.begin(next.message());
        return true;
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

    private static int size(Outgoing out) {
        return out.message().length() + 1;
    }

    /** Who goes on writing. */
    private enum Writing {
        NOBODY,
        SOMEBODY,
        WIRE
    }

    /** Hears what becomes of the messages; called without a lock, by whichever thread writes. */
    interface Owner {

        /** The first byte is about to be handed over. */
        void written(Outgoing out);

        /** The socket is broken. */
        void broken(IOException why);
    }
}
