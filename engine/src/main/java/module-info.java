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
            io.mcpbridge.gateway;
    exports io.mcpbridge.engine.pipeline to
            io.mcpbridge.server,
            io.mcpbridge.gateway,
            io.mcpbridge.cli;
    exports io.mcpbridge.engine.routing to
            io.mcpbridge.gateway;
    exports io.mcpbridge.engine.session to
            io.mcpbridge.server,
            io.mcpbridge.gateway,
            io.mcpbridge.cli;
    exports io.mcpbridge.engine.translation to
            io.mcpbridge.server,
            io.mcpbridge.gateway;
    exports io.mcpbridge.engine.upstream to
            io.mcpbridge.gateway;
    exports io.mcpbridge.engine.upstream.connection to
            io.mcpbridge.gateway,
            io.mcpbridge.cli;
    exports io.mcpbridge.engine.upstream.lists to
            io.mcpbridge.gateway;
}
