/** Messages, values, failures and the extension points of MCP Bridge. */
@SuppressWarnings("module")
module io.mcpbridge.core {
    requires com.fasterxml.jackson.core;
    requires static com.google.errorprone.annotations;
    requires static transitive org.jspecify;

    exports io.mcpbridge.call;
    exports io.mcpbridge.discovery;
    exports io.mcpbridge.event;
    exports io.mcpbridge.failure;
    exports io.mcpbridge.message;
    exports io.mcpbridge.spi;
    exports io.mcpbridge.tool;
    exports io.mcpbridge.internal.definition to
            io.mcpbridge.engine;
    exports io.mcpbridge.internal.json to
            io.mcpbridge.engine,
            io.mcpbridge.server;
    exports io.mcpbridge.era to
            io.mcpbridge.engine;

    uses io.mcpbridge.spi.AuditSinkProvider;
    uses io.mcpbridge.spi.CallObserverProvider;
    uses io.mcpbridge.spi.CallStageProvider;
    uses io.mcpbridge.spi.ListenerProvider;
    uses io.mcpbridge.spi.ProcessLauncherProvider;
    uses io.mcpbridge.spi.RetryPolicyProvider;
    uses io.mcpbridge.spi.SchemaCheckProvider;
    uses io.mcpbridge.spi.ToolCatalogProvider;
    uses io.mcpbridge.spi.TransportProvider;

    provides io.mcpbridge.spi.ToolCatalogProvider with
            io.mcpbridge.spi.MemoryToolCatalog.Provider;
}
