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
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Clients of the legacy era, of the modern era and of both in front of servers of the legacy era, of the modern era and
 * of both, over every way to a server, all through one daemon: a call, a question that is answered, progress, a
 * withdrawal, and a change of the tools. A subclass says which clients there are and how they reach the daemon.
 *
 * <p>Each client has one connection and goes from server to server. There is a daemon for each front, since its clients
 * are one user there: if a server shares one stream among users, its requests do not reach one of them for a
 * minute after another has cancelled a call, because they might belong to that call.
 */
@RequiresPeers
@Timeout(90)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class MatrixContract {
    private static final List<String> ERAS = List.of("legacy", "modern", "dual");
    private static final List<String> WAYS = List.of("stdio", "http", "unix");

    /** Cells that do not pass, for a fault that is known: "client, server, way". One that passes must be struck off. */
    private static final Set<String> NOT_YET = Set.of();

    private final Map<String, MatrixClient> connected = new HashMap<>();

    /** The names of the clients, each of which begins with its era. */
    protected abstract List<String> clients();

    protected abstract MatrixClient connect(String client) throws InterruptedException;

    protected abstract TestDaemon daemon();

    /** A daemon in front of all servers, to be kept in a static field. */
    static TestDaemon inFrontOfAll() {
        return new TestDaemon()
                .server("legacystdio", LegacyFixture::stdio)
                .server("modernstdio", ModernFixture.MODERN::stdio)
                .server("dualstdio", ModernFixture.DUAL::stdio)
                .server("legacyhttp", LegacyFixture::http)
                .server("modernhttp", ModernFixture.MODERN::http)
                .server("dualhttp", ModernFixture.DUAL::http)
                .server("legacyunix", () -> inFolder(LegacyFixture::unix))
                .server("modernunix", () -> inFolder(ModernFixture.MODERN::unix))
                .server("dualunix", () -> inFolder(ModernFixture.DUAL::unix));
    }

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

    /** The names of the servers, in the order in which a client goes to them. */
    static List<String> servers() {
        return WAYS.stream().flatMap(way -> ERAS.stream().map(era -> era + way)).toList();
    }

    Stream<Arguments> cells() {
        return clients().stream()
                .flatMap(client ->
                        WAYS.stream().flatMap(way -> ERAS.stream().map(era -> Arguments.of(client, era, way))));
    }

    @ParameterizedTest(name = "a {0} client uses a {1} server over {2}")
    @MethodSource("cells")
    void everyClientUsesEveryServer(String client, String era, String way) throws Exception {
        var one = client(client);
        if (NOT_YET.contains("%s, %s, %s".formatted(client, era, way))) {
            assertThatThrownBy(() -> assertAll(client, era, one.converse(era + way)))
                    .as("a cell that passes: strike it off NOT_YET")
                    .isNotNull();
            return;
        }
        assertAll(client, era, one.converse(era + way));
        Eventually.holds(
                () -> "the daemon to be idle; it has " + daemon().running().health(),
                () -> daemon().running().health().callsInFlight() == 0);
    }

    private static void assertAll(String client, String era, MatrixClient.Seen seen) {
        // The Java SDK can neither cancel a call nor receive a cancellation.
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

    private MatrixClient client(String name) throws InterruptedException {
        var known = connected.get(name);
        if (known != null) {
            return known;
        }
        disconnect();
        var made = connect(name);
        connected.put(name, made);
        return made;
    }

    @AfterAll
    void disconnect() {
        connected.values().forEach(MatrixClient::close);
        connected.clear();
    }
}
