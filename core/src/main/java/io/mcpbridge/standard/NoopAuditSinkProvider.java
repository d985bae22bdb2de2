package io.mcpbridge.standard;

import io.mcpbridge.spi.AuditSink;
import io.mcpbridge.spi.AuditSinkProvider;
import io.mcpbridge.spi.Environment;
import io.mcpbridge.spi.Settings;

/** Provides {@code noop}: an audit sink that keeps nothing, a new one each time. */
public final class NoopAuditSinkProvider implements AuditSinkProvider {

    @Override
    public String name() {
        return "noop";
    }

    @Override
    public int spiVersion() {
        return SPI_VERSION;
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
