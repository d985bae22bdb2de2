package io.mcpbridge.cli.demo;

import io.mcpbridge.config.BridgeConfiguration;
import io.mcpbridge.tool.JsonObject;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The configurations of the demonstration. */
public final class DemoConfiguration {
    private static final String MAIN = "io.mcpbridge.cli.Main";

    /** A busy machine may take longer to start a Java process than a server may take to tell its era by default. */
    private static final String TIME_TO_START = "30s";

    private DemoConfiguration() {}

    /** One server, a child process of the daemon; it listens where a daemon does by default. */
    public static BridgeConfiguration ofOneServer(Map<String, String> variables) {
        return parse(Map.of("demo", child()), Map.of(), variables);
    }

    /**
     * One server of each kind, one of them of the legacy era, a Unix socket and a loopback port in front, and an audit
     * trail that each call has to stand in.
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
        var json = JsonObject.write(Map.of("mcpServers", servers, "bridge", bridge));
        return BridgeConfiguration.parse(json, Path.of("."), variables);
    }

    /** The command line of {@code connect} to the daemon at {@code socket}. */
    static List<String> connect(Path socket) {
        return java("connect", "--mcp-bridge-socket", socket.toString());
    }

    /** The demonstration's server in another Java process. */
    private static Map<String, Object> child() {
        var words = java("demo-server");
        return Map.of("command", words.get(0), "args", words.subList(1, words.size()), "probe-timeout", TIME_TO_START);
    }

    /** Our own command in another Java process, with the class path of this one. */
    private static List<String> java(String... arguments) {
        var program = Path.of(System.getProperty("java.home"), "bin", "java").toString();
        var words = new ArrayList<>(List.of(
                program,
                "-XX:TieredStopAtLevel=1",
                "-Xshare:auto",
                "-Xmx64m",
                "-cp",
                System.getProperty("java.class.path"),
                MAIN));
        words.addAll(List.of(arguments));
        return words;
    }
}
