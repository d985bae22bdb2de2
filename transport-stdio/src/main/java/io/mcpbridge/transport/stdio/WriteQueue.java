package io.mcpbridge.transport.stdio;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.mcpbridge.message.Message;
import io.mcpbridge.message.MessageId;
import io.mcpbridge.message.Request;
import io.mcpbridge.message.Response;
import io.mcpbridge.spi.Outgoing;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * The messages that wait to be written to a child, and the turn to write.
 *
 * <p>One thread at a time has the turn: the writer thread of the child, or a sender that waits for the answer anyway, if the
 * pipe has room so that the write cannot block. Any thread may use it.
 */
final class WriteQueue {

    /** The result of writing a message. */
    enum AddResult {
        /** The sender has the turn and writes the message. */
        YOUR_TURN,
        /** The message waits for the writer thread. */
        QUEUED,
        /** The queue is full. */
        FULL,
        /** The queue is closed. */
        CLOSED
    }

    /** Small messages are written together, up to this length. */
    private static final int MAX_BATCH_BYTES = 8 << 10;

    private final int maxQueued;
    private final int maxQueuedBytes;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();

    @GuardedBy("lock")
    private final Deque<Outgoing> waiting = new ArrayDeque<>();

    @GuardedBy("lock")
    private final PipeEstimate pipe = new PipeEstimate();

    @GuardedBy("lock")
    private long waitingBytes;

    @GuardedBy("lock")
    private boolean isTaken;

    @GuardedBy("lock")
    private boolean isClosed;

    WriteQueue(int maxQueued, int maxQueuedBytes) {
        this.maxQueued = maxQueued;
        this.maxQueuedBytes = maxQueuedBytes;
    }

    AddResult add(Outgoing out) {
        var length = out.message().length() + 1;
        lock.lock();
        try {
            if (isClosed) {
                return AddResult.CLOSED;
            }
            if (out.callerWaits() && !isTaken && waiting.isEmpty() && pipe.hasRoomFor(length)) {
                isTaken = true;
                pipe.onWrite(out.message());
                return AddResult.YOUR_TURN;
            }
            if (!waiting.isEmpty() && (waiting.size() >= maxQueued || waitingBytes + length > maxQueuedBytes)) {
                return AddResult.FULL;
            }
            waiting.add(out);
            waitingBytes += length;
            if (!isTaken) {
                changed.signal();
            }
            return AddResult.QUEUED;
        } finally {
            lock.unlock();
        }
    }

    /** Waits for the turn and for something to write; empty once the queue is closed. */
    List<Outgoing> take() throws InterruptedException {
        lock.lockInterruptibly();
        try {
            while (!isClosed && (isTaken || waiting.isEmpty())) {
                changed.await();
            }
            if (isClosed) {
                return List.of();
            }
            isTaken = true;
            return batch();
        } finally {
            lock.unlock();
        }
    }

    /** Gives the turn back after a write. */
    void releaseTurn() {
        lock.lock();
        try {
            isTaken = false;
            if (!waiting.isEmpty()) {
                changed.signal();
            }
        } finally {
            lock.unlock();
        }
    }

    /** Removes a message that still waits; false if it was taken to be written. */
    boolean remove(Outgoing out) {
        lock.lock();
        try {
            var isRemoved = waiting.remove(out);
            waitingBytes -= isRemoved ? out.message().length() + 1 : 0;
            return isRemoved;
        } finally {
            lock.unlock();
        }
    }

    /** Notes a message of the child, which shows how much of its input it has read. */
    void onRead(Message message) {
        lock.lock();
        try {
            pipe.onRead(message);
        } finally {
            lock.unlock();
        }
    }

    /** Drops what waits; nothing more is written. */
    void close() {
        lock.lock();
        try {
            isClosed = true;
            waiting.clear();
            waitingBytes = 0;
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    @GuardedBy("lock")
    private List<Outgoing> batch() {
        var batch = new ArrayList<Outgoing>();
        var length = 0;
        for (var next = waiting.peek(); next != null; next = waiting.peek()) {
            var more = next.message().length() + 1;
            if (!batch.isEmpty() && length + more > MAX_BATCH_BYTES) {
                break;
            }
            waiting.remove();
            waitingBytes -= more;
            length += more;
            pipe.onWrite(next.message());
            batch.add(next);
        }
        return batch;
    }

    /**
     * Estimates how full a child's input pipe is, and never too low.
     *
     * <p>A child reads in order: once it has answered the last request, it has read everything before that request. What was
     * written since may still be in the pipe. Even the smallest pipe, that of a user with very many pipes, takes one page.
     * Guarded by the lock of the queue.
     */
    static final class PipeEstimate {
        private static final long SMALLEST_PIPE = 4096;

        private long unread;
        private long unreadAfterRequest;
        private @Nullable MessageId lastRequest;

        /** Whether a write of so many bytes cannot block. */
        boolean hasRoomFor(int length) {
            return unread + length <= SMALLEST_PIPE;
        }

        /** Notes that a message and its line end are about to be written. */
        void onWrite(Message message) {
            var length = message.length() + 1L;
            unread += length;
            unreadAfterRequest += length;
            if (message instanceof Request request) {
                lastRequest = request.id();
                unreadAfterRequest = 0;
            }
        }

        /** Notes a message of the child. */
        void onRead(Message message) {
            if (lastRequest != null
                    && message instanceof Response response
                    && response.id().filter(lastRequest::equals).isPresent()) {
                unread = unreadAfterRequest;
            }
        }
    }
}
