package io.mcpbridge.standard;

import io.mcpbridge.spi.AuditSink;
import io.mcpbridge.spi.Completion;
import io.mcpbridge.spi.ToolEnter;
import io.mcpbridge.spi.ToolExit;

/** The audit sink {@code noop}: takes every record and keeps none. */
public final class NoopAuditSink implements AuditSink {

    @Override
    public void enter(ToolEnter event, Completion durable) {
        durable.succeeded();
    }

    @Override
    public void exit(ToolExit event, Completion durable) {
        durable.succeeded();
    }

    @Override
    public Durability durability() {
        return Durability.NONE;
    }

    @Override
    public void close() {}
}
