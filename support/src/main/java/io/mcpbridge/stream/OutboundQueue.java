package io.mcpbridge.stream;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.mcpbridge.message.Message;
import io.mcpbridge.message.MessageField;
import io.mcpbridge.message.Methods;
import io.mcpbridge.message.Notification;
import io.mcpbridge.message.Response;
import io.mcpbridge.spi.ByteBudget;
import io.mcpbridge.spi.Exchange.Offer;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The outbound messages of one client, bounded in bytes. Any thread may use it; no method waits.
 *
 * <p>A full queue replaces an older progress message of the same token, and an older list_changed of the same method,
 * by the newer one, and drops log messages. It never drops a response: superseded messages and log messages are evicted
 * for it, and if that is not enough, the connection has to end.
 */
final class OutboundQueue implements LineQueueWriter.Source {
    private final LineQueueWriter writer;
    private final int maxBytes;
    private final ByteBudget budget;
    private final Consumer<String> end;
    private final ReentrantLock lock = new ReentrantLock();

    @GuardedBy("lock")
    private final ArrayDeque<Entry> entries = new ArrayDeque<>();

    /** The newest entry of each coalescing key. */
    @GuardedBy("lock")
    private final Map<String, Entry> latest = new HashMap<>();

    @GuardedBy("lock")
    private long bytes;

    /** The message that is being written; its bytes still count. */
    @GuardedBy("lock")
    private @Nullable Message current;

    @GuardedBy("lock")
    private boolean finishing;

    @GuardedBy("lock")
    private boolean closed;

    /**
     * Makes the queue of one connection.
     *
     * @param maxBytes how many bytes may wait in it, including the message that is being written
     * @param budget how many bytes may wait in all queues that share it
     * @param end ends the connection, when everything is written after {@link #finish} or when the sink is broken; receives the
     *     reason, maybe more than once, on the thread that wrote and without a lock
     */
    OutboundQueue(ByteSink sink, int maxBytes, ByteBudget budget, Consumer<String> end) {
        this.writer = new LineQueueWriter(sink, this);
        this.maxBytes = maxBytes;
        this.budget = budget;
        this.end = end;
    }

    /**
     * Sends a message if there is room for it.
     *
     * @return {@link Offer#FULL} if it is dropped; if it is a response, the caller ends the connection
     */
    Offer offer(Message message) {
        lock.lock();
        try {
            if (closed || finishing || !add(message)) {
                return Offer.FULL;
            }
        } finally {
            lock.unlock();
        }
        return writer.writeQueued() ? Offer.SENT : Offer.QUEUED;
    }

    /** Reports that the sink can accept more bytes. */
    void flush() {
        writer.flush();
    }

    /** Accepts nothing more, and ends the connection when everything is written. */
    void finish() {
        lock.lock();
        try {
            finishing = true;
        } finally {
            lock.unlock();
        }
        writer.writeQueued();
    }

    /** Drops what waits and accepts nothing more. */
    void close() {
        lock.lock();
        try {
            closed = true;
            entries.clear();
            latest.clear();
            release(bytes);
        } finally {
            lock.unlock();
        }
    }

    /** How many bytes wait, including the message that is being written. */
    long waitingBytes() {
        lock.lock();
        try {
            return bytes;
        } finally {
            lock.unlock();
        }
    }

    @Override
    public @Nullable ByteBuffer next() {
        lock.lock();
        try {
            if (current != null && !closed) {
                release(size(current));
            }
            var entry = entries.poll();
            current = entry == null ? null : entry.message;
            if (entry != null && entry.key != null) {
                latest.remove(entry.key, entry);
            }
            return current == null ? null : current.bytes();
        } finally {
            lock.unlock();
        }
    }

    @Override
    public void drained() {
        boolean finished;
        lock.lock();
        try {
            // Another thread may have begun to write a message since the last one was written.
            finished = finishing && !closed && current == null && entries.isEmpty();
        } finally {
            lock.unlock();
        }
        if (finished) {
            end.accept("every response is written");
        }
    }

    @Override
    public void broken(IOException why) {
        end.accept("writing failed: " + why.getMessage());
    }

    /** Adds the message, or makes room for it by the rules above; false if it is dropped. */
    @GuardedBy("lock")
    private boolean add(Message message) {
        var entry = new Entry(message, coalescingKey(message));
        if (reserve(entry.size()) || evictFor(entry)) {
            entries.add(entry);
            if (entry.key != null) {
                latest.put(entry.key, entry);
            }
            return true;
        }
        return entry.key != null && replaceOlder(entry);
    }

    /** Only a response evicts other messages: those that are superseded, and log messages. */
    @GuardedBy("lock")
    private boolean evictFor(Entry entry) {
        if (!(entry.message instanceof Response)) {
            return false;
        }
        for (var each = entries.iterator(); each.hasNext(); ) {
            var other = each.next();
            boolean superseded = other.key != null && latest.get(other.key) != other;
            if (superseded || isLog(other.message)) {
                release(other.size());
                each.remove();
            }
        }
        return reserve(entry.size());
    }

    @GuardedBy("lock")
    private boolean replaceOlder(Entry newer) {
        var older = latest.get(newer.key);
        if (older == null) {
            return false;
        }
        int growth = newer.size() - older.size();
        if (growth > 0 && !reserve(growth)) {
            return false;
        }
        release(Math.max(0, -growth));
        older.message = newer.message;
        return true;
    }

    @GuardedBy("lock")
    private boolean reserve(int size) {
        if (bytes + size > maxBytes || !budget.take(size)) {
            return false;
        }
        bytes += size;
        return true;
    }

    @GuardedBy("lock")
    private void release(long size) {
        bytes -= size;
        budget.giveBack(size);
    }

    private static boolean isLog(Message message) {
        return message instanceof Notification notification
                && notification.method().equals(Methods.LOG_MESSAGE);
    }

    /** A newer message of the same key supersedes an older one; null if the message is never superseded. */
    private static @Nullable String coalescingKey(Message message) {
        if (!(message instanceof Notification notification)) {
            return null;
        }
        return switch (notification.method()) {
            case Methods.PROGRESS ->
                notification.raw(MessageField.PROGRESS_TOKEN).orElse(null);
            case Methods.TOOLS_LIST_CHANGED, Methods.RESOURCES_LIST_CHANGED, Methods.PROMPTS_LIST_CHANGED ->
                notification.method();
            default -> null;
        };
    }

    private static int size(Message message) {
        return message.length() + 1;
    }

    private static final class Entry {
        private Message message;
        private final @Nullable String key;

        Entry(Message message, @Nullable String key) {
            this.message = message;
            this.key = key;
        }

        int size() {
            return OutboundQueue.size(message);
        }
    }
}
