package io.mcpbridge.conformance;

import static io.mcpbridge.conformance.Scenarios.OF_HEADERS;
import static io.mcpbridge.conformance.Scenarios.OF_LEGACY;
import static io.mcpbridge.conformance.Scenarios.OF_MODERN;
import static io.mcpbridge.conformance.Scenarios.SCHEMA;
import static io.mcpbridge.conformance.Scenarios.and;
import static io.mcpbridge.conformance.Scenarios.without;

import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * The daemon passes the suite in both eras, whichever era the server behind it speaks.
 *
 * <p>Each test names what does not pass yet; the list may only become shorter.
 */
@RequiresSuite
@Timeout(120)
class ConformanceOfDaemonTest {
    private static final Set<String> LEGACY = and(OF_LEGACY, SCHEMA);
    private static final Set<String> MODERN = and(and(OF_MODERN, OF_HEADERS), SCHEMA);

    private static final Set<String> NOT_ONLY_TOOLS = Set.of(
            "completion-complete",
            "prompts-get-embedded-resource",
            "prompts-get-simple",
            "prompts-get-with-args",
            "prompts-get-with-image",
            "prompts-list",
            "resources-list",
            "resources-read-binary",
            "resources-read-text",
            "resources-subscribe",
            "resources-templates-read",
            "resources-unsubscribe");

    @Test
    void legacyClientsAndLegacyServer() throws InterruptedException {
        try (var daemon = DaemonUnderTest.inFrontOf(LegacyFixture.http())) {
            var results = ConformanceSuite.server(daemon.http(), Scenarios.LEGACY);

            results.assertPassed(LEGACY, NOT_ONLY_TOOLS);
        }
    }

    @Test
    void modernClientsAndLegacyServer() throws InterruptedException {
        try (var daemon = DaemonUnderTest.inFrontOf(LegacyFixture.http())) {
            var results = ConformanceSuite.server(daemon.http(), Scenarios.MODERN);

            results.assertPassed(
                    MODERN,
                    without(
                            MODERN,
                            Set.of(
                                    "input-required-result-unsupported-methods",
                                    "input-required-result-validate-input")));
        }
    }

    @Test
    void legacyClientsAndModernServer() throws InterruptedException {
        try (var daemon = DaemonUnderTest.inFrontOf(ModernFixture.MODERN.http())) {
            var results = ConformanceSuite.server(daemon.http(), Scenarios.LEGACY);

            results.assertPassed(
                    LEGACY,
                    without(
                            LEGACY,
                            Set.of(
                                    "dns-rebinding-protection",
                                    "logging-set-level",
                                    "ping",
                                    "server-initialize",
                                    "server-sse-multiple-streams",
                                    "tools-list")));
        }
    }

    @Test
    void modernClientsAndModernServer() throws InterruptedException {
        try (var daemon = DaemonUnderTest.inFrontOf(ModernFixture.MODERN.http())) {
            var results = ConformanceSuite.server(daemon.http(), Scenarios.MODERN);

            results.assertPassed(
                    MODERN,
                    without(
                            MODERN,
                            Set.of(
                                    "input-required-result-unsupported-methods",
                                    "input-required-result-validate-input")));
        }
    }
}
