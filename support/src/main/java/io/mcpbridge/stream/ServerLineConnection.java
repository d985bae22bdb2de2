package io.mcpbridge.stream;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.mcpbridge.failure.ErrorCode;
import io.mcpbridge.failure.Failure;
import io.mcpbridge.failure.ProtocolException;
import io.mcpbridge.message.Message;
import io.mcpbridge.message.MessageId;
import io.mcpbridge.message.Methods;
import io.mcpbridge.message.Notification;
import io.mcpbridge.message.Request;
import io.mcpbridge.spi.Closed;
import io.mcpbridge.spi.Outgoing;
import io.mcpbridge.spi.RequestFailure;
import io.mcpbridge.spi.Transport.Receiver;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Sends and receives the messages of one server on a byte stream, one per line. Any thread may use it; no method waits.
 *
 * <p>Messages wait in a bounded queue until the {@link ByteSink} accepts them. The receiver gets the end of the connection
 * once, and nothing after it. If a thread is inside the receiver when the connection ends, that thread finishes its
 * call and then reports the end.
 */
public final class ServerLineConnection {

    /** Small messages are written together, up to this length. */
    private static final int MAX_BATCH_BYTES = 8 << 10;

    private final Receiver receiver;
    private final Owner owner;
    private final LineQueueWriter writer;
    private final ReentrantLock lock = new ReentrantLock();

    @GuardedBy("lock")
    private final ArrayDeque<Outgoing> waiting = new ArrayDeque<>();

    @GuardedBy("lock")
    private long waitingBytes;

    @GuardedBy("lock")
    private boolean isFinished;

    /** The event loop that writes what waits at the end of its turn, if one does. */
    @GuardedBy("lock")
    private @Nullable Thread turn;

    /** The number of threads that are inside the receiver. */
    @GuardedBy("lock")
    private int inside;

    @GuardedBy("lock")
    private @Nullable Closed end;

    public ServerLineConnection(ByteSink sink, Receiver receiver, Owner owner) {
        this.receiver = receiver;
        this.owner = owner;
        this.writer = new LineQueueWriter(sink, new Queue());
    }

    /** Sends a message; it fails if it exceeds a limit of the owner. */
    public void send(Outgoing out) {
        offer(out).ifPresent(rejection -> {
            var failure = Failure.of(ErrorCode.OVERLOADED, rejection);
            report(() -> receiver.failed(out, RequestFailure.of(RequestFailure.Kind.REQUEST_FAILED, failure)));
        });
    }

    /** Queues the message, or returns why it is rejected. */
    private Optional<String> offer(Outgoing out) {
        lock.lock();
        try {
            if (isFinished) {
                // The end of the connection is reported and fails all pending requests.
                return Optional.empty();
            }
            // A single message may always wait, and so may the 8 KiB that a turn writes together, from any thread.
            var rejection = waiting.isEmpty() || turn != null
                    ? Optional.<String>empty()
                    : owner.rejection(waiting.size(), waitingBytes, size(out));
            if (rejection.isPresent()) {
                return rejection;
            }
            waiting.add(out);
            waitingBytes += size(out);
            if (waitsForTurn()) {
                return Optional.empty();
            }
        } finally {
            lock.unlock();
        }
        writer.writeQueued();
        return Optional.empty();
    }

    /** Whether this thread has turns, and the end of this one writes what waits; false if that is too much. */
    @GuardedBy("lock")
    private boolean waitsForTurn() {
        if (waitingBytes >= MAX_BATCH_BYTES) {
            turn = null;
            return false;
        }
        if (turn == null && EventTurn.atEnd(this::endTurn)) {
            turn = Thread.currentThread();
        }
        return turn == Thread.currentThread();
    }

    /** Writes the messages that wait for the end of a turn; to be called before the connection is closed. */
    public void endTurn() {
        lock.lock();
        try {
            if (turn == null) {
                return;
            }
            turn = null;
        } finally {
            lock.unlock();
        }
        writer.writeQueued();
    }

    /**
     * Removes a message that still waits; otherwise cancels its request at the server.
     *
     * @return whether it was removed
     */
    public boolean abandon(Outgoing out, String reason) {
        if (remove(out)) {
            return true;
        }
        if (out.message() instanceof Request request && !request.method().equals(Methods.INITIALIZE)) {
            var cancellation = Notification.cancelled(request.id(), reason);
            // If the queue is full, the server reads nothing, and would not read a cancellation.
            offer(Outgoing.of(cancellation, out.version(), out.deadline()));
        }
        return false;
    }

    private boolean remove(Outgoing out) {
        lock.lock();
        try {
            var isRemoved = waiting.remove(out);
            waitingBytes -= isRemoved ? size(out) : 0;
            return isRemoved;
        } finally {
            lock.unlock();
        }
    }

    /** Reports that the sink can accept more bytes. */
    public void writable() {
        writer.flush();
    }

    /** Reports a message of the server. */
    public void message(Message message) {
        report(() -> receiver.message(message, Optional.empty()));
    }

    /** Reports a line of the server that is not a message, and the id of the request that it seems to answer. */
    public void unreadable(ProtocolException why, Optional<MessageId> answerTo) {
        report(() -> receiver.unreadable(why, answerTo));
    }

    /** Drops what waits and accepts nothing more; false if it has done so before. */
    public boolean finish() {
        lock.lock();
        try {
            var isFirst = !isFinished;
            isFinished = true;
            waiting.clear();
            waitingBytes = 0;
            return isFirst;
        } finally {
            lock.unlock();
        }
    }

    /** Reports the end; only the first one counts. */
    public void close(Closed why) {
        finish();
        lock.lock();
        try {
            if (end != null) {
                return;
            }
            end = why;
            if (inside > 0) {
                return;
            }
        } finally {
            lock.unlock();
        }
        receiver.closed(why);
    }

    /** Passes an event to the receiver; false after the end. */
    private boolean report(Runnable event) {
        lock.lock();
        try {
            if (end != null) {
                return false;
            }
            inside++;
        } finally {
            lock.unlock();
        }
        try {
            event.run();
        } finally {
            leave();
        }
        return true;
    }

    private void leave() {
        Closed why;
        lock.lock();
        try {
            inside--;
            why = inside == 0 ? end : null;
        } finally {
            lock.unlock();
        }
        if (why != null) {
            receiver.closed(why);
        }
    }

    private static int size(Outgoing out) {
        return out.message().length() + 1;
    }

    /** The queue of the writer. */
    private final class Queue implements LineQueueWriter.Source {

        /** The next messages, which are reported as written: from then on their delivery is unknown. */
        @Override
        public @Nullable ByteBuffer next() {
            var batch = take();
            batch.removeIf(out -> !report(() -> {
                owner.writing(out);
                receiver.writing(out);
            }));
            return batch.isEmpty() ? null : lines(batch);
        }

        @Override
        public void broken(IOException why) {
            owner.broken(why);
        }

        private List<Outgoing> take() {
            var batch = new ArrayList<Outgoing>();
            var length = 0;
            lock.lock();
            try {
                for (var next = waiting.peek(); next != null; next = waiting.peek()) {
                    length += size(next);
                    if (!batch.isEmpty() && length > MAX_BATCH_BYTES) {
                        break;
                    }
                    batch.add(waiting.remove());
                    waitingBytes -= size(next);
                }
            } finally {
                lock.unlock();
            }
            return batch;
        }

        private static ByteBuffer lines(List<Outgoing> batch) {
            if (batch.size() == 1) {
                return batch.get(0).message().bytes();
            }
            var bytes = ByteBuffer.allocate(
                    batch.stream().mapToInt(ServerLineConnection::size).sum());
            for (var out : batch) {
                out.message().writeTo(bytes);
                bytes.put((byte) '\n');
            }
            // The writer adds the end of the last line.
            return bytes.limit(bytes.position() - 1).rewind();
        }
    }

    /** The transport that the connection belongs to. */
    public interface Owner {

        /**
         * Returns why one more message must not be queued; empty if it may. Called under a lock, so it only compares.
         *
         * @param messages how many messages are queued already, at least one
         * @param bytes how many bytes they have
         * @param more how many bytes the message has
         */
        Optional<String> rejection(int messages, long bytes, int more);

        /** The first byte of the message is about to be handed to the sink, by this thread. */
        default void writing(Outgoing out) {}

        /** The sink is broken. */
        void broken(IOException why);
    }
}
