package io.mcpbridge.transport.stdio;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.mcpbridge.message.Message;
import io.mcpbridge.spi.Outgoing;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * What waits to be written to a child, and whose turn it is to write.
 *
 * <p>One thread at a time has the turn: the writer thread of the child, or a sender that waits for the
 * answer anyway, if the pipe surely has room so that the write cannot get stuck. Any thread may use it.
 */
final class WriteQueue {

    /** What became of a message. */
    enum Place {
        /** The sender has the turn and writes it. */
        YOUR_TURN,
        /** It waits for the writer thread. */
        QUEUED,
        /** There is no room. */
        FULL,
        /** Nothing is written any more. */
        CLOSED
    }

    /** Small messages are written together; a batch is no longer than this. */
    private static final int LONGEST_BATCH = 8 << 10;

    private final int maxQueued;
    private final int maxQueuedBytes;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();

    @GuardedBy("lock")
    private final Deque<Outgoing> waiting = new ArrayDeque<>();

    @GuardedBy("lock")
    private final PipeRoom room = new PipeRoom();

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

    Place add(Outgoing out) {
        var length = out.message().length() + 1;
        lock.lock();
        try {
            if (isClosed) {
                return Place.CLOSED;
            }
            if (out.callerWaits() && !isTaken && waiting.isEmpty() && room.isFor(length)) {
                isTaken = true;
                room.took(out.message());
                return Place.YOUR_TURN;
            }
            if (!waiting.isEmpty() && (waiting.size() >= maxQueued || waitingBytes + length > maxQueuedBytes)) {
                return Place.FULL;
            }
            waiting.add(out);
            waitingBytes += length;
            if (!isTaken) {
                changed.signal();
            }
            return Place.QUEUED;
        } finally {
            lock.unlock();
        }
    }

    /** Waits for the turn and for something to write; nothing once the queue is closed. */
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
    void done() {
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

    /** Takes {@code out} back if nobody has taken it to write it. */
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

    /** Learns from what the child says how much of its input it has read. */
    void heard(Message message) {
        lock.lock();
        try {
            room.heard(message);
        } finally {
            lock.unlock();
        }
    }

    /** Nothing more is written; what waits is dropped. */
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
            if (!batch.isEmpty() && length + more > LONGEST_BATCH) {
                break;
            }
            waiting.remove();
            waitingBytes -= more;
            length += more;
            room.took(next.message());
            batch.add(next);
        }
        return batch;
    }
}
