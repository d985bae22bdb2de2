/** A pool of warm processes that run sandboxed handlers of served tools. */
module io.mcpbridge.workers {
    requires io.mcpbridge.sandbox;
    requires transitive io.mcpbridge.server;
    requires io.mcpbridge.support;
    requires static com.google.errorprone.annotations;
    requires static transitive org.jspecify;

    exports io.mcpbridge.workers;
}
