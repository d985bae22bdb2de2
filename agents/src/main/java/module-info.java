/** Tools of MCP servers for language models, a loop that runs the calls of a model, and workflows. */
module io.mcpbridge.agents {
    requires java.net.http;
    requires transitive io.mcpbridge.core;
    requires transitive io.mcpbridge.engine;
    requires transitive io.mcpbridge.server;
    requires org.snakeyaml.engine;
    requires static com.google.errorprone.annotations;
    requires static transitive org.jspecify;

    exports io.mcpbridge.agents;
    exports io.mcpbridge.workflow;
}
