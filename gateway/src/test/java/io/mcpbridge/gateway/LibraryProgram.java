package io.mcpbridge.gateway;

import io.mcpbridge.Bridge;
import io.mcpbridge.BridgeOptions;
import io.mcpbridge.Connection;
import io.mcpbridge.ConnectionOptions;
import io.mcpbridge.config.BridgeConfiguration;
import java.lang.System.Logger.Level;
import java.net.URI;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * A program that connects to servers of each transport, calls them, prints what this has installed in its JVM, and
 * waits. Its argument is a folder for sockets.
 */
final class LibraryProgram {
    private static final Map<String, ?> NONE = Map.of();

    private LibraryProgram() {}

    public static void main(String[] arguments) throws Exception {
        var folder = Path.of(arguments[0]);
        // The first line of a log installs a hook of the JDK's own.
        System.getLogger("io.mcpbridge").log(Level.INFO, "begins");
        try (var unix = new UnixToolServer(folder.resolve("s.sock"), new ToolScript("unix", "echo"));
                var http = new HttpToolServer(new ToolScript("http", "echo"))) {
            var before = installed();
            var httpUrl = URI.create(http.section().replaceAll(".*(http://[^\"]*).*", "$1"));
            try (var bySocket = Connection.to(URI.create("unix:" + folder.resolve("s.sock")));
                    var byHttp = Connection.to(httpUrl);
                    var byChild = Connection.toCommand(child(), ConnectionOptions.DEFAULTS);
                    var bridge = Bridge.open(
                            BridgeConfiguration.parse(
                                    "{\"mcpServers\": {\"tool\": %s}}".formatted(unix.section()), folder, Map.of()),
                            BridgeOptions.DEFAULTS)) {
                for (var connection : List.of(bySocket, byHttp, byChild)) {
                    connection.callTool("echo", NONE);
                }
                bridge.callTool("tool", "echo", NONE);
                System.out.println(before.equals(installed()) ? "nothing" : before + " became " + installed());
                Thread.currentThread().join();
            }
        }
    }

    private static List<String> child() {
        return List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-cp",
                System.getProperty("java.class.path"),
                ToolScript.class.getName(),
                "child",
                "echo");
    }

    /** Shutdown hooks, signal handlers and other JVM-wide settings. */
    private static Map<String, String> installed() throws ReflectiveOperationException {
        var found = new HashMap<String, String>();
        found.put("hooks", field("java.lang.ApplicationShutdownHooks", "hooks"));
        found.put("signals", field("jdk.internal.misc.Signal", "handlers"));
        found.put("uncaught", Objects.toString(Thread.getDefaultUncaughtExceptionHandler()));
        found.put("out", System.out.toString());
        found.put("err", System.err.toString());
        return found;
    }

    private static String field(String type, String name) throws ReflectiveOperationException {
        var field = Class.forName(type).getDeclaredField(name);
        field.setAccessible(true);
        return Objects.toString(((Map<?, ?>) field.get(null)).entrySet());
    }
}
