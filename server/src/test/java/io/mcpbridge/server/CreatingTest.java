package io.mcpbridge.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.mcpbridge.StandardEnvironment;
import io.mcpbridge.failure.ConfigurationException;
import io.mcpbridge.spi.SchemaCheckProvider;
import io.mcpbridge.spi.Settings;
import java.io.File;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Rows B1, B2, B8 and B10: a context, and tools in it. */
@Timeout(60)
class CreatingTest {
    /** What the system calls a port on which a process accepts. */
    private static final String LISTEN = "0A";

    @Test
    void b1CreateHasNoSideEffects() {
        var threads = new HashSet<>(Thread.getAllStackTraces().keySet());
        var handler = Thread.getDefaultUncaughtExceptionHandler();
        var asked = new java.util.concurrent.atomic.AtomicBoolean();

        var server = ToolServer.create(ToolServerOptions.builder()
                .listen("unix", Settings.of(Map.of("path", "/nowhere/at/all.sock")))
                .versionReader(() -> {
                    asked.set(true);
                    return "1";
                })
                .build());

        assertThat(server.addresses()).isEmpty();
        assertThat(asked).isFalse();
        assertThat(Thread.getDefaultUncaughtExceptionHandler()).isSameAs(handler);
        assertThat(threads).containsAll(ours());
        server.close();
    }

    private static List<Thread> ours() {
        return Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> thread.getName().startsWith("mcp-bridge"))
                .toList();
    }

    @Test
    void b1ServerWithoutAListenerDoesNotStart() {
        var server = ToolServer.create(
                ToolServerOptions.builder().version("1").withoutGlobalHandlers().build());

        assertThatThrownBy(server::start)
                .isInstanceOf(ConfigurationException.class)
                .hasMessageContaining("has no listener");
    }

    @Test
    void b1DefaultsAreAsDocumented() {
        var options = ToolServerOptions.DEFAULTS;

        assertThat(options.wantsGlobalHandlers()).isTrue();
        assertThat(options.auditSink()).isEmpty();
        assertThat(options.mode()).isEmpty();
        assertThat(options.callTimeout()).isEqualTo(Duration.ofMinutes(5));
        assertThat(ToolServer.create(options).auditSink())
                .isNotSameAs(ToolServer.create(options).auditSink());
        assertThat(options.logger().getName()).isEqualTo("io.mcpbridge");
        assertThat(options.clock().getAsLong()).isLessThanOrEqualTo(System.nanoTime());
    }

    @Test
    void b1TimeoutsMustBePositive() {
        var builder = ToolServerOptions.builder();

        assertThatThrownBy(() -> builder.startupTimeout(Duration.ZERO))
                .hasMessageContaining("'startup-timeout' is PT0S");
        assertThatThrownBy(() -> builder.callTimeout(Duration.ofSeconds(-1)))
                .hasMessageContaining("'call-timeout' is PT-1S");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "Echo", "1st", "two-words", "ping\n", "größe"})
    void b2InvalidNameIsRejected(String name) {
        try (var bench = new ServeBench()) {
            assertThatThrownBy(() -> bench.with(name, call -> null))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessage("invalid tool name: " + name);
        }
    }

    static Stream<String> schemas() {
        return Stream.of(
                "",
                "  ",
                "[]",
                "{\"type\":\"string\"}",
                "{}",
                "no json",
                "{\"type\":\"object\",\"$ref\":\"#/$defs/none\"}");
    }

    @ParameterizedTest
    @org.junit.jupiter.params.provider.MethodSource("schemas")
    void b2SchemaMustDescribeAnObject(String schema) {
        try (var bench = new ServeBench()) {
            assertThatThrownBy(() -> bench.with("tool", ToolConfig.of(schema), call -> null))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageStartingWith("inputSchema must be ");
        }
    }

    @Test
    void b2SecondRegistrationOfANameFails() {
        try (var bench = new ServeBench().with("echo", call -> 1)) {
            assertThatThrownBy(() -> bench.with("echo", call -> 2))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessage("tool already registered: echo");
            assertThatThrownBy(() -> bench.with("server_ping", call -> 2))
                    .hasMessage("tool already registered: server_ping");
        }
    }

    @Test
    void b2TitleDefaultsToTheName() throws Exception {
        try (var bench = new ServeBench()
                .with("plain", call -> 1)
                .with("titled", ServeBench.PLAIN.withTitle("A title").withDescription("Words"), call -> 1)) {
            var list = bench.legacy().ask("tools/list", "");

            assertThat(list)
                    .contains("{\"name\":\"plain\",\"title\":\"plain\",\"inputSchema\":{\"type\":\"object\"}}")
                    .contains("{\"name\":\"titled\",\"title\":\"A title\",\"description\":\"Words\",");
        }
    }

    @Test
    void b2ToolRegisteredLaterIsAnnounced() throws Exception {
        try (var bench = new ServeBench()) {
            var client = bench.legacy();

            bench.with("later", call -> "here");

            assertThat(client.receive()).contains("notifications/tools/list_changed");
            assertThat(client.envelope("later", "{}")).contains("here");
        }
    }

    @Test
    void b8PingReturnsVersionModeAndUptime() throws Exception {
        try (var bench = new ServeBench()) {
            var client = bench.legacy();
            bench.clock.addAndGet(1_234_999_999L);

            assertThat(client.envelope("server_ping", "{}"))
                    .isEqualTo("{\"ok\":true,\"data\":{\"version\":\"1.2.3\",\"mode\":\"FULL\",\"uptime_ms\":1234}}");
        }
    }

    @Test
    void b8PingIsListedWithItsNameAsTitle() throws Exception {
        try (var bench = new ServeBench()) {
            assertThat(bench.legacy().ask("tools/list", ""))
                    .contains("{\"name\":\"server_ping\",\"title\":\"server_ping\",\"description\":"
                            + "\"Health probe — returns server version, mode, and uptime.\",");
        }
    }

    @Test
    void b8UptimeStartsAtTheBootTime() throws Exception {
        try (var bench = new ServeBench()) {
            bench.options.bootTime(1_000_000_000L);

            assertThat(bench.legacy().envelope("server_ping", "{}")).contains("\"uptime_ms\":4000");
        }
    }

    @Test
    void b8MissingVersionIsAnError() {
        try (var bench = new ServeBench()) {
            bench.options.versionReader(() -> {
                throw new java.io.IOException("no such file");
            });

            assertThatThrownBy(() -> bench.server().start())
                    .isInstanceOf(ConfigurationException.class)
                    .hasMessage("Failed to read mcp-bridge version: no such file");
            assertThat(bench.log.lines())
                    .containsExactly("[mcp-bridge] fatal: Failed to read mcp-bridge version: no such file");
        }
    }

    @Test
    void b8EmptyVersionIsAnError() {
        assertThatThrownBy(() -> version(() -> " ")).hasMessage("Failed to read mcp-bridge version: it is empty");
    }

    @Test
    void b8InterruptFlagIsRestored() {
        assertThatThrownBy(() -> version(() -> {
                    throw new InterruptedException();
                }))
                .hasMessage("Failed to read mcp-bridge version: interrupted");
        assertThat(Thread.interrupted()).isTrue();
    }

    @Test
    void b8OwnVersionIsThatOfTheArtifact() {
        assertThat(ToolServerOptions.DEFAULTS.version()).matches("\\d.*");
    }

    @Test
    void b10NothingIsPrinted() throws Exception {
        var before = System.out;
        var printed = new java.io.ByteArrayOutputStream();
        System.setOut(new java.io.PrintStream(printed, true, java.nio.charset.StandardCharsets.UTF_8));
        try (var bench = new ServeBench().with("echo", call -> 1)) {
            var seen = System.out;
            bench.legacy().envelope("echo", "{}");

            assertThat(System.out).isSameAs(seen);
            assertThat(printed.size()).isZero();
        } finally {
            System.setOut(before);
        }
    }

    @Test
    @EnabledOnOs(OS.LINUX)
    void b10NoHttpListenerIsOpenedByDefault(@TempDir Path folder) throws Exception {
        var socket = folder.resolve("tools.sock");
        try (var environment = StandardEnvironment.open();
                var server = ToolServer.create(ToolServerOptions.builder()
                        .version("1")
                        .environment(environment.environment())
                        .listen("unix", Settings.of(Map.of("path", socket.toString())))
                        .withoutGlobalHandlers()
                        .build())) {
            var before = listening();
            server.start();

            assertThat(server.addresses()).singleElement().returns("unix", URI::getScheme);
            assertThat(listening()).isSubsetOf(before);
            try (var door = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
                assertThat(listening())
                        .as("with port %d open", door.getLocalPort())
                        .hasSizeGreaterThan(before.size());
            }
        }
    }

    /** The TCP ports on which this process accepts. */
    private static Set<String> listening() throws IOException {
        var own = new HashSet<String>();
        try (var descriptors = Files.list(Path.of("/proc/self/fd"))) {
            for (var each : descriptors.toList()) {
                if (Files.isSymbolicLink(each)) {
                    own.add(Files.readSymbolicLink(each).toString());
                }
            }
        }
        var ports = new HashSet<String>();
        for (var table : List.of("/proc/net/tcp", "/proc/net/tcp6")) {
            for (var line : Files.readAllLines(Path.of(table))) {
                var parts = line.strip().split("\\s+", -1);
                if (parts[3].equals(LISTEN) && own.contains("socket:[%s]".formatted(parts[9]))) {
                    ports.add(parts[1]);
                }
            }
        }
        return ports;
    }

    @Test
    void b2UnknownSchemaCheckIsRejected() {
        var options = ToolServerOptions.builder().schemaCheck("strict").build();

        assertThatThrownBy(() -> ToolServer.create(options))
                .isInstanceOf(ConfigurationException.class)
                .hasMessageContaining("there is no schema check 'strict'; found are json-schema; another");
    }

    @Test
    void b2CreateFailsWithoutASchemaCheck() throws Exception {
        var caller = Thread.currentThread().getContextClassLoader();
        try (var loader = new URLClassLoader(classPathWithoutSchemaChecks(), ClassLoader.getPlatformClassLoader())) {
            Thread.currentThread().setContextClassLoader(loader);
            var options = loader.loadClass(ToolServerOptions.class.getName());
            var create = loader.loadClass(ToolServer.class.getName()).getMethod("create", options);

            assertThatThrownBy(() ->
                            create.invoke(null, options.getField("DEFAULTS").get(null)))
                    .cause()
                    .hasMessageStartingWith("cannot validate the arguments of tools: there is no schema check"
                            + " 'json-schema'; none was found")
                    .hasMessageContaining("add the artifact io.mcpbridge:mcp-bridge-catalog to the class path");
        } finally {
            Thread.currentThread().setContextClassLoader(caller);
        }
    }

    private static URL[] classPathWithoutSchemaChecks() throws IOException {
        var service = "META-INF/services/" + SchemaCheckProvider.class.getName();
        var urls = new ArrayList<URL>();
        for (var entry : System.getProperty("java.class.path").split(File.pathSeparator, -1)) {
            var url = Path.of(entry).toUri().toURL();
            try (var alone = new URLClassLoader(new URL[] {url}, null)) {
                if (alone.findResource(service) == null) {
                    urls.add(url);
                }
            }
        }
        return urls.toArray(new URL[0]);
    }

    private static String version(Callable<String> reader) {
        return ToolServerOptions.builder().versionReader(reader).build().version();
    }
}
