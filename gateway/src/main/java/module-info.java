/** The daemon, which embeds the bridge and listens for clients. */
@SuppressWarnings("module")
module io.mcpbridge.gateway {
    requires transitive io.mcpbridge.core;
    requires io.mcpbridge.engine;
    requires io.mcpbridge.support;
    requires static com.google.errorprone.annotations;
    requires static transitive org.jspecify;

    exports io.mcpbridge.gateway to
            io.mcpbridge.cli;
}
