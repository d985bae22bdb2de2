/** The bridge: one server or many, routing, the call pipeline and translation between eras. */
@SuppressWarnings("module")
module io.mcpbridge.engine {
    requires transitive io.mcpbridge.core;
    requires transitive io.mcpbridge.support;
    requires static com.google.errorprone.annotations;
    requires static transitive org.jspecify;

    exports io.mcpbridge;
    exports io.mcpbridge.config;
    exports io.mcpbridge.engine to
            io.mcpbridge.server,
            io.mcpbridge.gateway,
            io.mcpbridge.cli;

    provides io.mcpbridge.spi.AuditSinkProvider with
            io.mcpbridge.engine.NoopAuditSink.Provider;
    provides io.mcpbridge.spi.RetryPolicyProvider with
            io.mcpbridge.engine.pipeline.NoRetriesProvider;
}
