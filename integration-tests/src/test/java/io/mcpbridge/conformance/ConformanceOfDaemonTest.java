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

    /** Where calls share one stream, a question is no one's while another call waits for its client. */
    private static final Set<String> INPUT_REQUIRED = Set.of(
            "input-required-result-basic-elicitation",
            "input-required-result-basic-list-roots",
            "input-required-result-basic-sampling",
            "input-required-result-capability-check",
            "input-required-result-ignore-extra-params",
            "input-required-result-missing-input-response",
            "input-required-result-multi-round",
            "input-required-result-multiple-input-requests",
            "input-required-result-non-tool-request",
            "input-required-result-request-state",
            "input-required-result-result-type",
            "input-required-result-tampered-state",
            "server-stateless");

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
        var notAskedTwice =
                Set.of("input-required-result-capability-check", "input-required-result-ignore-extra-params");
        var lists = Set.of("server-stateless");
        return List.of(
                new Behind("legacy server over HTTP", folder -> LegacyFixture.http(), notAskedTwice),
                new Behind("legacy server over streams", folder -> LegacyFixture.stdio(), INPUT_REQUIRED),
                new Behind("modern server over HTTP", folder -> ModernFixture.MODERN.http(), Set.of()),
                new Behind("modern server over streams", folder -> ModernFixture.MODERN.stdio(), lists),
                new Behind("modern server over a Unix socket", ModernFixture.MODERN::unix, lists));
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
