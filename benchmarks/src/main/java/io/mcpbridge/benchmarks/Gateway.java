package io.mcpbridge.benchmarks;

import io.mcpbridge.message.JsonStrings;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/**
 * A gateway before the stdio server {@code server-everything}: how it is started and called.
 *
 * @param name in tables
 * @param front what clients connect to
 * @param path of the endpoint
 * @param tool the name of its tool {@code echo}
 * @param program what is started
 * @param arguments of the program; {@code %port%}, {@code %socket%} and {@code %config%} are replaced
 * @param config its configuration file, where {@code %port%} and {@code %socket%} are replaced
 */
record Gateway(
        String name, Front front, String path, String tool, Path program, List<String> arguments, String config) {
    private static final Path PEERS = Path.of(System.getProperty("benchmarks.peers", ""));
    private static final Path MODULES = PEERS.resolve("npm/node_modules");
    private static final Path EVERYTHING = MODULES.resolve("@modelcontextprotocol/server-everything/dist/index.js");

    /** The gateways of npm of a whole run. */
    static final int OF_NPM = 3;

    /** The server behind all gateways, started directly. */
    static final List<String> SERVER = List.of("node", EVERYTHING.toString(), "stdio");

    private static final String SERVERS =
            "\"mcpServers\":{\"everything\":{\"command\":\"node\",\"args\":[%s,\"stdio\"]}}"
                    .formatted(JsonStrings.quote(EVERYTHING.toString()));
    private static final String TOML = """
            [proxy]
            name = "benchmark"
            separator = "/"
            [proxy.listen]
            host = "127.0.0.1"
            port = %%port%%
            [[backends]]
            name = "everything"
            transport = "stdio"
            command = "node"
            args = ["%s", "stdio"]
            """;

    static final Gateway HTTP = ours("ours, HTTP", Front.HTTP, "\"http\":{\"port\":%port%}");
    static final Gateway UNIX = ours("ours, Unix socket", Front.UNIX, "\"unix\":{\"path\":\"%socket%\"}");
    static final Gateway RUST = new Gateway(
            "Rust mcp-proxy 0.6.0",
            Front.HTTP,
            "/",
            "everything/echo",
            PEERS.resolve("rust/bin/mcp-proxy"),
            List.of("--config", "%config%"),
            TOML.formatted(EVERYTHING));
    static final Gateway NPM = new Gateway(
            "npm mcp-proxy 6.7.19",
            Front.HTTP,
            "/mcp",
            "echo",
            MODULES.resolve(".bin/mcp-proxy"),
            concat(List.of("--port", "%port%", "--host", "127.0.0.1", "--server", "stream", "--"), SERVER),
            "");

    /** What clients connect to. */
    enum Front {
        UNIX,
        HTTP,
        SSE
    }

    /** The installed gateways: of other projects, those of the plan. Prints which of them are left out. */
    static List<Gateway> installed() {
        var others = Plan.IS_QUICK ? Stream.of(RUST, NPM) : Stream.concat(Stream.of(RUST, go(), NPM), slower());
        return Stream.concat(Stream.of(HTTP, UNIX), others.filter(gateway -> Plan.HAS_PEERS))
                .filter(Gateway::isInstalled)
                .toList();
    }

    private boolean isInstalled() {
        var isInstalled = Files.exists(program);
        if (!isInstalled) {
            Goals.say("%s is not installed and not measured.%n".formatted(name));
        }
        return isInstalled;
    }

    /** Whether the server behind all gateways is installed; prints if not. */
    static boolean isPossible() {
        var isPossible = Files.exists(EVERYTHING);
        if (!isPossible) {
            Goals.say("Not measured: gateways need Node.js and npm.");
        }
        return isPossible;
    }

    boolean isOurs() {
        return name.startsWith("ours");
    }

    boolean isOfNpm() {
        return name.startsWith("npm");
    }

    /** Without the pings of ours, which callers that wait for their turn do not answer. */
    Gateway withoutPings() {
        return with(Peers.NO_PINGS);
    }

    /** With more settings of ours, which end with a comma. */
    Gateway with(String settings) {
        var more = config.replace("\"bridge\":{", "\"bridge\":{" + settings);
        return new Gateway(name, front, path, tool, program, arguments, more);
    }

    /** The daemon; it starts its server at once, as the others do. */
    private static Gateway ours(String name, Front front, String listener) {
        var servers = SERVERS.replace("\"command\"", "\"start\":\"eager\",\"command\"");
        return new Gateway(
                name,
                front,
                "/mcp",
                "everything__echo",
                Path.of(System.getProperty("benchmarks.command", "mcp-bridge")),
                List.of("serve", "--config", "%config%"),
                "{%s,\"bridge\":{\"listen\":{%s}}}".formatted(servers, listener));
    }

    private static Gateway go() {
        return new Gateway(
                "Go TBXark/mcp-proxy 0.43",
                Front.HTTP,
                "/everything/",
                "echo",
                PEERS.resolve("go/mcp-proxy"),
                List.of("--config", "%config%"),
                "{\"mcpProxy\":{\"baseURL\":\"http://127.0.0.1:%%port%%\",\"addr\":\"127.0.0.1:%%port%%\",\"name\":\"b\",\"version\":\"1\",\"type\":\"streamable-http\"},%s}"
                        .formatted(SERVERS));
    }

    private static Stream<Gateway> slower() {
        return Stream.of(
                new Gateway(
                        "npm supergateway 4.0.0",
                        Front.HTTP,
                        "/mcp",
                        "echo",
                        MODULES.resolve(".bin/supergateway"),
                        List.of(
                                "--stdio",
                                String.join(" ", SERVER),
                                "--outputTransport",
                                "streamableHttp",
                                "--stateful",
                                "--port",
                                "%port%",
                                "--logLevel",
                                "none"),
                        ""),
                new Gateway(
                        "npm mcp-hub 4.2.1 (SSE)",
                        Front.SSE,
                        "/mcp",
                        "everything__echo",
                        MODULES.resolve(".bin/mcp-hub"),
                        List.of("--port", "%port%", "--config", "%config%"),
                        "{%s}".formatted(SERVERS)),
                new Gateway(
                        "PyPI mcp-proxy 0.13",
                        Front.HTTP,
                        "/mcp",
                        "echo",
                        PEERS.resolve("mcp-proxy/bin/mcp-proxy"),
                        concat(List.of("--port", "%port%", "--log-level", "ERROR", "--pass-environment", "--"), SERVER),
                        ""),
                new Gateway(
                        "PyPI fastmcp 4.1",
                        Front.HTTP,
                        "/mcp",
                        "echo",
                        PEERS.resolve("fastmcp/bin/fastmcp"),
                        List.of(
                                "run",
                                "%config%",
                                "--transport",
                                "http",
                                "--port",
                                "%port%",
                                "--path",
                                "/mcp",
                                "--no-banner",
                                "--log-level",
                                "ERROR"),
                        "{%s}".formatted(SERVERS)));
    }

    private static List<String> concat(List<String> some, List<String> more) {
        return Stream.concat(some.stream(), more.stream()).toList();
    }
}
