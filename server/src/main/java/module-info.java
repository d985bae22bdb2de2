/** Serves a program's own tools as an MCP server. */
module io.mcpbridge.server {
    requires transitive io.mcpbridge.core;
    requires transitive io.mcpbridge.engine;
    requires io.mcpbridge.support;
    requires static com.google.errorprone.annotations;
    requires static transitive org.jspecify;

    exports io.mcpbridge.server;
}
