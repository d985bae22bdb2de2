package io.mcpbridge.golden;

import io.mcpbridge.engine.BridgeVersion;
import io.mcpbridge.testkit.Eventually;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Everything that takes part in one conversation. Used by the thread of its script. */
final class Bench implements Closeable {
    private static final String TOKEN = "alices-long-secret";

    private final Path folder;
    private final Transcript transcript = new Transcript();
    private final Map<String, String> sections = new LinkedHashMap<>();
    private final List<ScriptedPeer> servers = new ArrayList<>();
    private final List<Closeable> clients = new ArrayList<>();
    private final Set<Integer> ports = ConcurrentHashMap.newKeySet();
    private @Nullable GoldenDaemon daemon;

    Bench() throws IOException {
        // Short, since the path of a socket has 106 bytes at the most.
        folder = Files.createTempDirectory("gc");
        var key = Files.createFile(
                folder.resolve("redaction.key"),
                PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
        Files.writeString(key, "07".repeat(32));
    }

    Path folder() {
        return folder;
    }

    Transcript transcript() {
        return transcript;
    }

    /** Shows a port as {@code <port>}. */
    void mask(int port) {
        ports.add(port);
    }

    /** Adds a server on a Unix socket; {@code more} are members of its section. */
    LineServer unix(String name, Playbook playbook, String... more) throws IOException {
        return add(name, LineServer.unix(this, name, playbook), more);
    }

    /** Adds a server that is a child of the daemon. */
    LineServer child(String name, Playbook playbook, String... more) throws IOException {
        return add(name, LineServer.child(this, name, playbook), more);
    }

    HttpServer http(String name, Playbook playbook, String... more) throws IOException {
        return add(name, new HttpServer(this, name, playbook), more);
    }

    private <T extends ScriptedPeer> T add(String name, T server, String... more) {
        servers.add(server);
        // Nothing runs by itself but what a script is about.
        var keys = new ArrayList<>(List.of(server.section(), "\"keep-alive\": \"0s\""));
        keys.addAll(List.of(more));
        sections.put(name, "{" + String.join(", ", keys) + "}");
        return server;
    }

    /** Starts the daemon; {@code more} are members of its section. */
    void start(String... more) throws IOException {
        var members = new ArrayList<>(List.of(
                "\"listen\": {\"unix\": {\"path\": \"%s\"}, \"http\": {\"port\": 0, \"tokens\": {\"alice\": \"%s\"}}}"
                        .formatted(folder.resolve("bridge.sock"), TOKEN),
                "\"keep-alive\": \"0s\""));
        members.addAll(List.of(more));
        if (members.stream().noneMatch(member -> member.startsWith("\"audit\""))) {
            members.add("\"audit\": " + audit(""));
        }
        var all = sections.entrySet().stream()
                .map(section -> "\"%s\": %s".formatted(section.getKey(), section.getValue()))
                .collect(Collectors.joining(", "));
        daemon = new GoldenDaemon(
                "{\"mcpServers\": {%s}, \"bridge\": {%s}}".formatted(all, String.join(", ", members)), folder);
        mask(daemon.port());
    }

    /** The section of the audit, with more members in front of the usual ones. */
    String audit(String more) {
        return "{%s\"sink\": \"file\", \"path\": \"%s\", \"level\": \"arguments+result\", \"redact\": {\"key\": \"%s\", \"open-world-results\": true}}"
                .formatted(more, folder.resolve("trail"), folder.resolve("redaction.key"));
    }

    LineClient unixClient(String name) throws IOException {
        var client = new LineClient(this, name, folder.resolve("bridge.sock"));
        clients.add(client);
        return client;
    }

    /** A client that shows alice's token. */
    HttpClient httpClient(String name) throws IOException {
        return httpClient(name, TOKEN);
    }

    HttpClient httpClient(String name, String token) throws IOException {
        var client = new HttpClient(this, name, running().port(), token);
        clients.add(client);
        return client;
    }

    private GoldenDaemon running() {
        return Objects.requireNonNull(daemon, "the daemon has not started");
    }

    /** Runs the alarms that are due now. */
    void runDue() {
        running().advance(Duration.ZERO);
    }

    /** Waits until the daemon has logged these words. */
    void awaitLog(String words) {
        Eventually.holds(
                "the log to say " + words, () -> running().log().stream().anyMatch(line -> line.contains(words)));
    }

    /** Waits until an alarm is due after this span, and moves the clock there. */
    void pass(Duration span) {
        Eventually.holds(
                () -> "an alarm in %s; there are %s".formatted(span, running().alarms()), () -> {
                    runDue();
                    return running().hasAlarmIn(span);
                });
        running().advance(span);
    }

    /** What helps to see why a wait failed. */
    String report() {
        return "so far:\n%s\nlog: %s\nalarms: %s"
                .formatted(
                        transcript,
                        String.join("\n", running().log()),
                        running().alarms());
    }

    /** Ends everything; the whole conversation. */
    String end() throws IOException {
        servers.forEach(ScriptedPeer::awaitStreams);
        running().close();
        for (var client : clients) {
            client.close();
        }
        servers.forEach(ScriptedPeer::awaitEnd);
        var trail = GoldenDaemon.trail(folder.resolve("trail"), folder.resolve("trail.pub"));
        var audit = trail.stream().map(this::maskRecord).collect(Collectors.joining("\n"));
        if (!audit.equals(String.join("\n", trail))) {
            audit = audit.replaceAll(",\"zhash\":\"[0-9a-f]+\"", "");
        }
        return mask(transcript.toString()) + "\n== the audit trail\n" + audit + "\n";
    }

    /** Masks the hash and the size of an error that is about a port, too. */
    private String maskRecord(String line) {
        var masked = mask(line);
        return masked.contains("<port>")
                ? masked.replaceAll("(\"errorHash\":\"[^:]+:[^:]+:)[0-9a-f]+", "$1<hash>")
                        .replaceAll("(\"errorSize\":)\\d+", "$1<size>")
                : masked;
    }

    private String mask(String text) {
        var masked = text;
        for (var port : ports) {
            masked = masked.replace("127.0.0.1:" + port, "127.0.0.1:<port>");
        }
        var user = System.getProperty("user.name");
        return masked.replace(folder.toString(), "<folder>")
                .replace("\"principal\":\"%s\"".formatted(user), "\"principal\":\"<user>\"")
                .replace("\"name\":\"%s\",\"proof\"".formatted(user), "\"name\":\"<user>\",\"proof\"")
                .replaceAll(
                        "(\"name\":\"mcp-bridge(-server)?\",\"version\":)\"%s\""
                                .formatted(Pattern.quote(BridgeVersion.CURRENT)),
                        "$1\"<version>\"")
                .replaceAll("(?i)(content-length:) [1-9]\\d*", "$1 <length>");
    }

    @Override
    public void close() throws IOException {
        if (daemon != null) {
            daemon.close();
        }
        for (var client : clients) {
            client.close();
        }
        servers.forEach(ScriptedPeer::close);
        try (var files = Files.walk(folder)) {
            for (var file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(file);
            }
        }
    }
}
