package io.mcpbridge.server;

import io.mcpbridge.spi.AuditSink;
import io.mcpbridge.spi.AuditSink.ToolDenied;
import io.mcpbridge.spi.AuditSink.ToolEnter;
import io.mcpbridge.spi.AuditSink.ToolExit;
import io.mcpbridge.spi.Completion;
import java.util.List;
import java.util.concurrent.BlockingDeque;
import java.util.concurrent.LinkedBlockingDeque;

/** Keeps the latest audit records in memory, for mode {@code TEST}. Any thread. */
public final class InMemoryAuditSink implements AuditSink {
    /** The number of records it keeps. */
    public static final int CAPACITY = 10_000;

    private final BlockingDeque<Record> records = new LinkedBlockingDeque<>(CAPACITY);

    /** The records, the oldest first: {@link ToolEnter}, {@link ToolExit} and {@link ToolDenied}. */
    public List<Record> records() {
        return List.copyOf(records);
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
        while (!records.offerLast(event)) {
            records.pollFirst();
        }
    }

    @Override
    public Durability durability() {
        return Durability.NONE;
    }

    @Override
    public void close() {}
}
