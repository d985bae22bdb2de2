package io.mcpbridge.transport.unix;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.mcpbridge.message.Message;
import io.mcpbridge.spi.Outgoing;
import io.mcpbridge.stream.LineWriter;
import io.mcpbridge.stream.Wire;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/** The messages for one server, bounded in number and bytes. Any thread may use it, and none waits. */
final class SendQueue implements LineWriter.Source {
    private final ReentrantLock lock = new ReentrantLock();
    private final UnixTransportSettings limits;
    private final LineWriter writer;
    private final Listener listener;

    @GuardedBy("lock")
    private final ArrayDeque<Outgoing> waiting = new ArrayDeque<>();

    @GuardedBy("lock")
    private long bytes;

    /** The message that is being written; its bytes still count. */
    @GuardedBy("lock")
    private @Nullable Outgoing current;

    @GuardedBy("lock")
    private boolean closed;

    SendQueue(UnixTransportSettings limits, Wire wire, Listener listener) {
        this.limits = limits;
        this.writer = new LineWriter(wire, this);
        this.listener = listener;
    }

    /** Sends the message, or returns the limit that it would exceed. */
    Optional<String> add(Outgoing out) {
        lock.lock();
        try {
            var rejection = rejection(out);
            if (rejection.isPresent()) {
                return rejection;
            }
            waiting.add(out);
            bytes += size(out);
        } finally {
            lock.unlock();
        }
        writer.messageAdded();
        return Optional.empty();
    }

    /** Removes a message; false if it does not wait any more. */
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

    /** The wire can take more. */
    void flush() {
        writer.flush();
    }

    /** Drops what waits and accepts nothing more. */
    void close() {
        lock.lock();
        try {
            closed = true;
            waiting.clear();
        } finally {
            lock.unlock();
        }
    }

    @Override
    public @Nullable Message next() {
        Outgoing next;
        lock.lock();
        try {
            bytes -= current == null ? 0 : size(current);
            next = waiting.poll();
            current = next;
        } finally {
            lock.unlock();
        }
        if (next == null) {
            return null;
        }
        listener.written(next);
        return next.message();
    }

    @Override
    public void broken(IOException why) {
        listener.broken(why);
    }

    @GuardedBy("lock")
    private Optional<String> rejection(Outgoing out) {
        if (closed) {
            return Optional.of("the connection is closed");
        }
        if (waiting.size() >= limits.maxQueuedMessages()) {
            return Optional.of("%d messages wait for the server, which is 'max-queued-messages'"
                    .formatted(limits.maxQueuedMessages()));
        }
        if (bytes > 0 && bytes + size(out) > limits.maxQueuedBytes()) {
            return Optional.of("%d bytes wait for the server and %d more would exceed 'max-queued-bytes', %d"
                    .formatted(bytes, size(out), limits.maxQueuedBytes()));
        }
        return Optional.empty();
    }

    private static int size(Outgoing out) {
        return out.message().length() + 1;
    }

    /** Receives the progress of the queue, on the thread that writes and without a lock. */
    interface Listener {

        /** The first byte of the message is about to be handed over. */
        void written(Outgoing out);

        /** The socket is broken. */
        void broken(IOException why);
    }
}
