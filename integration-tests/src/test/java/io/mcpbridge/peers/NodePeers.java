package io.mcpbridge.peers;

import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** Where the peers of npm are, and how they are started. */
public final class NodePeers {
    private static final Path FOLDER = Path.of("peers").toAbsolutePath();

    /** Written by npm when it has installed all of them. */
    private static final Path INSTALLED = FOLDER.resolve("node_modules/.package-lock.json");

    private NodePeers() {}

    /** What keeps the peers from being run; empty if nothing does. */
    public static List<String> missing() {
        var missing = new ArrayList<String>();
        if (node().isEmpty()) {
            missing.add("the program 'node' on the PATH");
        }
        if (!Files.exists(INSTALLED)) {
            missing.add("the file '" + INSTALLED + "'");
        }
        return missing;
    }

    /** The official server that shows every feature, over its standard streams. */
    static ChildServer everything() {
        var main = FOLDER.resolve("node_modules/@modelcontextprotocol/server-everything/dist/index.js");
        return new ChildServer(command(main, "stdio"));
    }

    /** A server made with the second generation of the TypeScript SDK, over its standard streams. */
    static ChildServer typeScriptServer() {
        return new ChildServer(script("server-v2.mjs"));
    }

    /** The command line that runs one of our scripts. */
    public static List<String> script(String name, String... arguments) {
        return command(FOLDER.resolve(name), arguments);
    }

    private static List<String> command(Path script, String... arguments) {
        var command = new ArrayList<String>();
        command.add(node().orElseThrow().toString());
        command.add(script.toString());
        command.addAll(List.of(arguments));
        return command;
    }

    /** The Node of the {@code PATH}. */
    public static Optional<Path> node() {
        return Stream.of(Optional.ofNullable(System.getenv("PATH")).orElse("").split(File.pathSeparator))
                .map(folder -> Path.of(folder, "node"))
                .filter(Files::isExecutable)
                .findFirst();
    }
}
