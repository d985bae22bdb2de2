package io.mcpbridge.server;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.mcpbridge.spi.AuditSink;
import io.mcpbridge.spi.AuditSink.ToolDenied;
import io.mcpbridge.spi.AuditSink.ToolEnter;
import io.mcpbridge.spi.AuditSink.ToolExit;
import io.mcpbridge.spi.Completion;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;

/** Keeps the latest audit records in memory, for mode {@code TEST}. Any thread. */
public final class InMemoryAuditSink implements AuditSink {
    /** The number of records it keeps. */
    public static final int CAPACITY = 10_000;

    private final ReentrantLock lock = new ReentrantLock();

    @GuardedBy("lock")
    private final Deque<Record> records = new ArrayDeque<>();

    /** The records, the oldest first: {@link ToolEnter}, {@link ToolExit} and {@link ToolDenied}. */
    public List<Record> records() {
        lock.lock();
        try {
            return List.copyOf(records);
        } finally {
            lock.unlock();
        }
    }

    @Override
    public void enter(ToolEnter event, Completion durable) {
        keep(event);
        durable.succeeded();
    }

    @Override
    public void exit(ToolExit event, Completion durable) {
        keep(event);
        durable.succeeded();
    }

    @Override
    public void denied(ToolDenied event) {
        keep(event);
    }

    private void keep(Record event) {
        lock.lock();
        try {
            if (records.size() == CAPACITY) {
                records.removeFirst();
            }
            records.addLast(event);
        } finally {
            lock.unlock();
        }
    }

    @Override
    public Durability durability() {
        return Durability.NONE;
    }

    @Override
    public void close() {}
}
