package io.mcpbridge.engine;

import io.mcpbridge.spi.AuditSink;
import io.mcpbridge.spi.AuditSink.ToolEnter;
import io.mcpbridge.spi.AuditSink.ToolExit;
import io.mcpbridge.spi.AuditSinkProvider;
import io.mcpbridge.spi.Completion;
import io.mcpbridge.spi.Environment;
import io.mcpbridge.spi.Settings;

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

    /** Provides {@code noop}: a new sink each time. */
    public static final class Provider implements AuditSinkProvider {

        @Override
        public Id id() {
            return new Id("noop", SPI_VERSION);
        }

        @Override
        public AuditSink open(Settings settings, Environment environment) {
            return new NoopAuditSink();
        }

        @Override
        public void check(Settings settings) {
            var unused = settings.finish(NoopAuditSink::new);
        }
    }
}
