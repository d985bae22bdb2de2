package io.mcpbridge.integration.netty;

import io.mcpbridge.Bridge;
import io.mcpbridge.BridgeOptions;
import io.mcpbridge.config.BridgeConfiguration;
import io.mcpbridge.server.ToolConfig;
import io.mcpbridge.server.ToolServer;
import io.mcpbridge.server.ToolServerOptions;
import io.mcpbridge.spi.Settings;
import java.nio.file.Path;
import java.util.Map;

/** A program that serves a tool over HTTP and calls it over each HTTP transport; prints the results and its Netty. */
public final class ServedOverHttp {
    private ServedOverHttp() {}

    /** Serves, calls and ends. */
    public static void main(String[] arguments) throws InterruptedException, ClassNotFoundException {
        var options = ToolServerOptions.builder()
                .name("served")
                .version("1")
                .listen("http", Settings.of(Map.of("port", 0)))
                .withoutGlobalHandlers()
                .build();
        try (var server = ToolServer.create(options)) {
            server.registerTool(
                    "echo",
                    ToolConfig.of("{\"type\":\"object\"}"),
                    call -> call.arguments().get("text"));
            server.start();
            var url = server.addresses().get(0).toString();
            call("streamable", "http", url);
            call("sse", "sse", url.replace("/mcp", "/sse"));
        }
        System.out.println(Class.forName("io.netty.util.Version")
                .getProtectionDomain()
                .getCodeSource()
                .getLocation());
    }

    private static void call(String name, String type, String url) throws InterruptedException {
        var json = "{\"mcpServers\": {\"%s\": {\"type\": \"%s\", \"url\": \"%s\"}}}".formatted(name, type, url);
        var configuration = BridgeConfiguration.parse(json, Path.of(""), Map.of());
        try (var bridge = Bridge.open(configuration, BridgeOptions.DEFAULTS)) {
            System.out.println(bridge.callTool(name, "echo", Map.of("text", "over " + name))
                    .text());
        }
    }
}
