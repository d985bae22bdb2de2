/** Tools of MCP servers for language models, and a loop that runs the calls of a model. */
module io.mcpbridge.agents {
    requires java.net.http;
    requires transitive io.mcpbridge.core;
    requires transitive io.mcpbridge.engine;
    requires io.mcpbridge.server;
    requires static com.google.errorprone.annotations;
    requires static transitive org.jspecify;

    exports io.mcpbridge.agents;
}
