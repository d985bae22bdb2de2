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
 */
@RequiresSuite
@Timeout(120)
class ConformanceOfDaemonTest {
    private static final Set<String> LEGACY = and(OF_LEGACY, SCHEMA);
    private static final Set<String> MODERN = and(and(OF_MODERN, OF_HEADERS), SCHEMA);

    /** What stands behind the daemon. */
    record Behind(String name, Function<Path, PeerServer> server) {

        private DaemonUnderTest daemon(Path folder) {
            return DaemonUnderTest.inFrontOf(server.apply(folder));
        }

        @Override
        public String toString() {
            return name;
        }
    }

    static List<Behind> servers() {
        return List.of(
                new Behind("legacy server over HTTP", folder -> LegacyFixture.http()),
                new Behind("legacy server over streams", folder -> LegacyFixture.stdio()),
                new Behind("modern server over HTTP", folder -> ModernFixture.MODERN.http()),
                new Behind("modern server over streams", folder -> ModernFixture.MODERN.stdio()),
                new Behind("modern server over a Unix socket", ModernFixture.MODERN::unix));
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
            ConformanceSuite.server(daemon.http(), Scenarios.MODERN).assertPassed(MODERN);
        }
    }
}
