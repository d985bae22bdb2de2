package io.mcpbridge.peers;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Command lines that run a main class of this test's class path in a JVM of its own. */
public final class JavaCommand {
    private JavaCommand() {}

    /** The {@code mcp-bridge} command. */
    static List<String> mcpBridge(String... arguments) {
        return of("io.mcpbridge.cli.Main", arguments);
    }

    public static List<String> of(String mainClass, String... arguments) {
        var command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                "-Xshare:auto",
                "-cp",
                System.getProperty("java.class.path"),
                mainClass));
        command.addAll(List.of(arguments));
        return command;
    }
}
