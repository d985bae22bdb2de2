package io.mcpbridge.examples;

import io.mcpbridge.Connection;
import io.mcpbridge.StandardEnvironment;
import io.mcpbridge.audit.file.FileAuditSettings;
import io.mcpbridge.audit.verify.AuditReport;
import io.mcpbridge.audit.verify.AuditVerifier;
import io.mcpbridge.audit.verify.VerificationKey;
import io.mcpbridge.discovery.Providers;
import io.mcpbridge.server.ToolConfig;
import io.mcpbridge.server.ToolServer;
import io.mcpbridge.server.ToolServerOptions;
import io.mcpbridge.spi.AuditSink;
import io.mcpbridge.spi.AuditSinkProvider;
import io.mcpbridge.spi.Environment;
import io.mcpbridge.spi.Settings;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;

/** Serves a tool with an audit trail on disk, calls it, and verifies the trail. */
public final class AuditedTools {
    private static final String ANYTHING = "{\"type\": \"object\"}";

    private AuditedTools() {}

    /** Opens the sink with the settings of an {@code audit} section. The caller closes it. */
    public static AuditSink trailIn(Path folder, Environment environment) {
        var section = Settings.of(Map.of("path", folder.toString(), "mode", "required", "level", "arguments"));
        return Providers.of(AuditSinkProvider.class).named("file").open(section, environment);
    }

    /** Calls the tool once. */
    public static String call(Path folder, Path socket) throws InterruptedException {
        try (var environment = StandardEnvironment.open();
                var trail = trailIn(folder, environment.environment());
                var server = ToolServer.create(ToolServerOptions.builder()
                        .version("1.0")
                        .auditSink(trail)
                        .listen("unix", Settings.of(Map.of("path", socket.toString())))
                        .withoutGlobalHandlers()
                        .build())) {
            server.registerTool("greet", ToolConfig.of(ANYTHING), call -> "Hello!");
            server.start();
            try (var client = Connection.to(server.addresses().get(0))) {
                return client.callTool("greet", Map.of("name", "Ada")).text();
            }
        }
    }

    /** Verifies the trail. */
    public static AuditReport verify(Path folder) throws IOException {
        var key = FileAuditSettings.in(folder).publicKey();
        return AuditVerifier.verify(folder, VerificationKey.read(key));
    }
}
