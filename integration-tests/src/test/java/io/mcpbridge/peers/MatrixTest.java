package io.mcpbridge.peers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.mcpbridge.conformance.LegacyFixture;
import io.mcpbridge.conformance.ModernFixture;
import io.mcpbridge.testkit.Eventually;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Clients of the legacy era, of the modern era and of both in front of servers of the legacy era, of the modern era and
 * of both, over every way to a server, all through one daemon: a call, a question that is answered, progress, a
 * withdrawal, and a change of the tools.
 *
 * <p>Each client has one connection and goes from server to server, in the order of {@link #WAYS} and {@link #ERAS}.
 */
@RequiresPeers
@Timeout(90)
class MatrixTest {
    private static final List<String> ERAS = List.of("legacy", "modern", "dual");
    private static final List<String> WAYS = List.of("stdio", "http", "unix");
    private static final List<String> CLIENTS = List.of(
            "legacy TypeScript over connect",
            "legacy Java SDK over HTTP",
            "modern TypeScript over HTTP",
            "dual TypeScript over connect",
            "dual Connection over Unix");

    /** Cells that do not pass, for a fault that is known: "client, server, way". One that passes must be struck off. */
    private static final Set<String> NOT_YET = Set.of();

    private static final Map<String, MatrixClient> CONNECTED = new HashMap<>();

    @RegisterExtension
    static final TestDaemon DAEMON = new TestDaemon()
            .server("legacystdio", LegacyFixture::stdio)
            .server("modernstdio", ModernFixture.MODERN::stdio)
            .server("dualstdio", ModernFixture.DUAL::stdio)
            .server("legacyhttp", LegacyFixture::http)
            .server("modernhttp", ModernFixture.MODERN::http)
            .server("dualhttp", ModernFixture.DUAL::http)
            .server("legacyunix", () -> inFolder(LegacyFixture::unix))
            .server("modernunix", () -> inFolder(ModernFixture.MODERN::unix))
            .server("dualunix", () -> inFolder(ModernFixture.DUAL::unix));

    private static UnixServer inFolder(Function<Path, UnixServer> start) {
        try {
            var folder = Files.createTempDirectory("matrix");
            var server = start.apply(folder);
            return new UnixServer(server.path(), () -> {
                server.close();
                delete(folder);
            });
        } catch (IOException noFolder) {
            throw new UncheckedIOException(noFolder);
        }
    }

    private static void delete(Path folder) {
        try {
            TestDaemon.delete(folder);
        } catch (IOException undeletable) {
            throw new UncheckedIOException(undeletable);
        }
    }

    @AfterAll
    static void disconnect() {
        CONNECTED.values().forEach(MatrixClient::close);
        CONNECTED.clear();
    }

    static Stream<Arguments> cells() {
        return CLIENTS.stream().flatMap(client -> WAYS.stream()
                .flatMap(way -> ERAS.stream().map(era -> Arguments.of(client, era, way))));
    }

    @ParameterizedTest(name = "a {0} client uses a {1} server over {2}")
    @MethodSource("cells")
    void everyClientUsesEveryServer(String client, String era, String way) throws Exception {
        var seen = client(client).converse(era + way);

        if (NOT_YET.contains("%s, %s, %s".formatted(client, era, way))) {
            assertThatThrownBy(() -> assertAll(client, era, seen))
                    .as("a cell that passes: strike it off NOT_YET")
                    .isInstanceOf(AssertionError.class);
        } else {
            assertAll(client, era, seen);
        }
    }

    private static void assertAll(String client, String era, MatrixClient.Seen seen) {
        // The Java SDK can neither withdraw a call nor hear that one is withdrawn.
        var isWithdrawn = !client.contains("Java SDK");
        var reachesServer = isWithdrawn && !era.equals("legacy");

        assertThat(seen.failed()).as(seen.toString()).isNull();
        assertThat(seen.said()).isEqualTo("This is a simple text response for testing.");
        assertThat(seen.answered()).containsIgnoringCase("accept").contains("any name");
        assertThat(seen.progress()).containsExactly(0.0, 50.0, 100.0);
        assertThat(seen.withdrawal()).contains(isWithdrawn ? "enough" : "let go");
        assertThat(seen.reached()).isEqualTo(reachesServer ? "1 withdrawn" : "1 let go");
        assertThat(seen.come()).as("the tool has come").isTrue();
        assertThat(seen.gone()).as("the tool has gone").isTrue();
    }

    private static MatrixClient client(String name) throws InterruptedException {
        var known = CONNECTED.get(name);
        if (known != null) {
            return known;
        }
        disconnect();
        Eventually.holds(
                () -> "the daemon to forget what went on; it has "
                        + DAEMON.running().health().callsInFlight() + " call(s) in flight",
                () -> DAEMON.running().health().callsInFlight() == 0);
        var connected = connect(name);
        CONNECTED.put(name, connected);
        return connected;
    }

    private static MatrixClient connect(String name) throws InterruptedException {
        return switch (name) {
            case "legacy TypeScript over connect" -> ScriptedMatrixClient.start("v1", servers(), overConnect());
            case "legacy Java SDK over HTTP" -> new JavaSdkMatrixClient(SdkClient.http(DAEMON.http()));
            case "modern TypeScript over HTTP" -> ScriptedMatrixClient.start("modern", servers(), overHttp());
            case "dual TypeScript over connect" -> ScriptedMatrixClient.start("auto", servers(), overConnect());
            default -> new OurMatrixClient(java.net.URI.create("unix:" + DAEMON.socket()));
        };
    }

    private static List<String> servers() {
        return WAYS.stream()
                .flatMap(way -> ERAS.stream().map(era -> era + way))
                .toList();
    }

    private static List<String> overHttp() {
        return List.of("http", DAEMON.http().toString());
    }

    private static List<String> overConnect() {
        var place = new ArrayList<>(List.of("stdio"));
        place.addAll(JavaCommand.mcpBridge(
                "connect", "--mcp-bridge-socket", DAEMON.socket().toString()));
        return place;
    }
}
