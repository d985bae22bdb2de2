package io.mcpbridge.cli.demo;

import io.mcpbridge.config.BridgeConfiguration;
import io.mcpbridge.tool.Json;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The configurations of the demo. */
public final class DemoConfiguration {
    private static final String MAIN = "io.mcpbridge.cli.Main";

    /** On a busy machine, a Java process may start slower than the default time-out of the discovery. */
    private static final String TIME_TO_START = "30s";

    private DemoConfiguration() {}

    /** One server, a child process of the daemon; the default listener. */
    public static BridgeConfiguration ofOneServer(Map<String, String> variables) {
        return parse(Map.of("demo", child()), Map.of(), variables);
    }

    /**
     * One server per transport, one of them of the legacy era, a Unix and an HTTP listener, and a required audit trail.
     */
    static BridgeConfiguration ofAllKinds(String unixServer, String httpServer, Path socket, Path trail) {
        var servers = new LinkedHashMap<String, Object>();
        servers.put("child", child());
        servers.put("local", Map.of("type", "unix", "path", unixServer, "protocol", "legacy"));
        servers.put("web", Map.of("type", "http", "url", httpServer));
        var listen = new LinkedHashMap<String, Object>();
        listen.put("unix", Map.of("path", socket.toString()));
        listen.put("http", Map.of("port", 0));
        var audit = Map.of("sink", "file", "mode", "required", "path", trail.toString());
        return parse(servers, Map.of("listen", listen, "audit", audit), Map.of());
    }

    private static BridgeConfiguration parse(
            Map<String, ?> servers, Map<String, ?> bridge, Map<String, String> variables) {
        var json = Json.of(Map.of("mcpServers", servers, "bridge", bridge)).text();
        return BridgeConfiguration.parse(json, Path.of("."), variables);
    }

    /** The command line of {@code connect} to the daemon at {@code socket}. */
    static List<String> connect(Path socket) {
        return java("connect", "--mcp-bridge-socket", socket.toString());
    }

    /** The demo server in another Java process. */
    private static Map<String, Object> child() {
        var command = java("demo-server");
        return Map.of(
                "command",
                command.get(0),
                "args",
                command.subList(1, command.size()),
                "discovery-timeout",
                TIME_TO_START,
                "reconnect-backoff",
                "50ms");
    }

    /** Our own command in another Java process, with the class path of this one. */
    private static List<String> java(String... arguments) {
        var program = Path.of(System.getProperty("java.home"), "bin", "java").toString();
        var command = new ArrayList<>(List.of(
                program,
                "-XX:TieredStopAtLevel=1",
                "-Xshare:auto",
                "-Xmx64m",
                "-cp",
                System.getProperty("java.class.path"),
                MAIN));
        command.addAll(List.of(arguments));
        return command;
    }
}
