package io.mcpbridge.conformance;

import static io.mcpbridge.conformance.Scenarios.OF_HEADERS;
import static io.mcpbridge.conformance.Scenarios.OF_LEGACY;
import static io.mcpbridge.conformance.Scenarios.OF_MODERN;
import static io.mcpbridge.conformance.Scenarios.SCHEMA;
import static io.mcpbridge.conformance.Scenarios.and;

import io.mcpbridge.peers.PeerServer;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The daemon passes the suite in both eras, whichever era the server behind it speaks and however it is reached.
 *
 * <p>What does not pass yet is named; the lists may only become shorter.
 */
@RequiresSuite
@Timeout(120)
class ConformanceOfDaemonTest {
    private static final Set<String> LEGACY = and(OF_LEGACY, SCHEMA);
    private static final Set<String> MODERN = and(and(OF_MODERN, OF_HEADERS), SCHEMA);

    /**
     * A legacy server is told once what all its clients can be asked, so that it may want to know what one of them did
     * not declare; then its call fails. See {@code docs/eras.md}.
     */
    private static final Set<String> CAPABILITIES = Set.of("input-required-result-capability-check");

    /** What stands behind the daemon, and what does not pass yet in the modern era with it. */
    record Behind(String name, Function<Path, PeerServer> server, Set<String> notInModern) {

        private DaemonUnderTest daemon(Path folder) {
            return DaemonUnderTest.inFrontOf(server.apply(folder));
        }

        @Override
        public String toString() {
            return name;
        }
    }

    static List<Behind> servers() {
        var lists = Set.of("server-stateless");
        return List.of(
                new Behind("legacy server over HTTP", folder -> LegacyFixture.http(), Set.of()),
                new Behind("legacy server over streams", folder -> LegacyFixture.stdio(), Set.of()),
                new Behind("modern server over HTTP", folder -> ModernFixture.MODERN.http(), Set.of()),
                new Behind("modern server over streams", folder -> ModernFixture.MODERN.stdio(), Set.of()),
                new Behind("modern server over a Unix socket", ModernFixture.MODERN::unix, Set.of()));
    }

    @TempDir
    Path folder;

    @ParameterizedTest
    @MethodSource("servers")
    void legacyScenariosPass(Behind behind) throws InterruptedException {
        try (var daemon = behind.daemon(folder)) {
            ConformanceSuite.server(daemon.http(), Scenarios.LEGACY).assertPassed(LEGACY);
        }
    }

    @ParameterizedTest
    @MethodSource("servers")
    void modernScenariosPass(Behind behind) throws InterruptedException {
        try (var daemon = behind.daemon(folder)) {
            ConformanceSuite.server(daemon.http(), Scenarios.MODERN).assertPassed(MODERN, behind.notInModern());
        }
    }
}
