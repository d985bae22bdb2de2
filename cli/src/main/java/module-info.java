/** The {@code mcp-bridge} command. */
@SuppressWarnings({"module", "requires-automatic"})
module io.mcpbridge.cli {
    requires info.picocli;
    requires io.mcpbridge.agents;
    requires io.mcpbridge.audit;
    requires io.mcpbridge.engine;
    requires io.mcpbridge.gateway;
    requires io.opentelemetry.api;
    requires io.opentelemetry.sdk;
    requires io.opentelemetry.sdk.autoconfigure;
    requires io.opentelemetry.sdk.autoconfigure.spi;
    requires io.opentelemetry.sdk.common;
    requires java.logging;
    requires static com.google.errorprone.annotations;
    requires static transitive org.jspecify;

    opens io.mcpbridge.cli to
            info.picocli;
}
