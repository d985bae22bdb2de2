package io.mcpbridge.conformance;

import static io.mcpbridge.conformance.Scenarios.and;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The servers that the other tests of this package put behind the bridge pass the suite when nothing is between. */
@RequiresSuite
@Timeout(120)
class ConformanceOfFixturesTest {

    @Test
    void legacyFixturePasses() throws InterruptedException {
        try (var fixture = LegacyFixture.http()) {
            var results = ConformanceSuite.server(fixture.uri(), Scenarios.LEGACY);

            results.assertPassed(and(Scenarios.OF_LEGACY, Scenarios.SCHEMA));
        }
    }

    @ParameterizedTest
    @EnumSource
    void modernFixturePasses(ModernFixture eras) throws InterruptedException {
        try (var fixture = eras.http()) {
            var results = ConformanceSuite.server(fixture.uri(), Scenarios.MODERN);

            results.assertPassed(and(and(Scenarios.OF_MODERN, Scenarios.OF_HEADERS), Scenarios.SCHEMA));
        }
    }
}
