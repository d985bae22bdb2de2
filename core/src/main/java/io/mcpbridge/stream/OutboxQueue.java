package io.mcpbridge.stream;

import io.mcpbridge.message.Message;
import io.mcpbridge.message.Methods;
import io.mcpbridge.message.Notification;
import io.mcpbridge.message.Part;
import io.mcpbridge.message.Response;
import io.mcpbridge.spi.ByteBudget;
import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The messages that wait for one client, bounded in bytes. Guarded by its {@link Outbox}.
 *
 * <p>When it is full, a newer progress of the same token and a newer list_changed of the same method take the
 * place of the older one, log messages are dropped, and everything that is left over gives way to an answer.
 */
final class OutboxQueue {
    private final ArrayDeque<Entry> entries = new ArrayDeque<>();
    private final Map<String, Entry> latest = new HashMap<>();
    private final int maxBytes;
    private final ByteBudget budget;
    private long bytes;

    OutboxQueue(int maxBytes, ByteBudget budget) {
        this.maxBytes = maxBytes;
        this.budget = budget;
    }

    /** Adds the message, or finds room for it by the rules above; false if it is dropped. */
    boolean add(Message message) {
        var entry = new Entry(message, key(message));
        if (take(entry.size()) || makesRoom(entry)) {
            append(entry);
            return true;
        }
        return entry.key != null && replaces(entry);
    }

    /** The next message; its bytes count until {@link #written}. */
    @Nullable
    Message poll() {
        var entry = entries.poll();
        if (entry == null) {
            return null;
        }
        forget(entry);
        return entry.message;
    }

    /** The message that was polled last has left. */
    void written(Message message) {
        give(size(message));
    }

    boolean isEmpty() {
        return entries.isEmpty();
    }

    long bytes() {
        return bytes;
    }

    /** Drops everything, what was polled and not yet written included. */
    void clear() {
        entries.clear();
        latest.clear();
        give(bytes);
    }

    private void append(Entry entry) {
        entries.add(entry);
        if (entry.key != null) {
            latest.put(entry.key, entry);
        }
    }

    /** Only an answer pushes others out: what is superseded and what may be lost. */
    private boolean makesRoom(Entry entry) {
        if (!(entry.message instanceof Response)) {
            return false;
        }
        entries.removeIf(this::givesWay);
        return take(entry.size());
    }

    private boolean givesWay(Entry entry) {
        boolean superseded = entry.key != null && latest.get(entry.key) != entry;
        if (superseded || isLog(entry.message)) {
            give(entry.size());
            return true;
        }
        return false;
    }

    private boolean replaces(Entry newer) {
        var older = latest.get(newer.key);
        if (older == null) {
            return false;
        }
        int growth = newer.size() - older.size();
        if (growth > 0 && !take(growth)) {
            return false;
        }
        give(Math.max(0, -growth));
        older.message = newer.message;
        return true;
    }

    private void forget(Entry entry) {
        if (entry.key != null) {
            latest.remove(entry.key, entry);
        }
    }

    private boolean take(int size) {
        if (bytes + size > maxBytes || !budget.take(size)) {
            return false;
        }
        bytes += size;
        return true;
    }

    private void give(long size) {
        bytes -= size;
        budget.giveBack(size);
    }

    private static boolean isLog(Message message) {
        return message instanceof Notification notification
                && notification.method().equals(Methods.LOG_MESSAGE);
    }

    /** What a newer message of the same key supersedes; null if nothing does. */
    private static @Nullable String key(Message message) {
        if (!(message instanceof Notification notification)) {
            return null;
        }
        return switch (notification.method()) {
            case Methods.PROGRESS -> notification.raw(Part.PROGRESS_TOKEN).orElse(null);
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
            return OutboxQueue.size(message);
        }
    }
}
