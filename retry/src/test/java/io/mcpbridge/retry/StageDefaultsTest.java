package io.mcpbridge.retry;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.mcpbridge.Bridge;
import io.mcpbridge.BridgeOptions;
import io.mcpbridge.config.BridgeConfiguration;
import io.mcpbridge.discovery.Providers;
import io.mcpbridge.event.BridgeEvent;
import io.mcpbridge.failure.CallException;
import io.mcpbridge.failure.ConfigurationException;
import io.mcpbridge.failure.Delivery;
import io.mcpbridge.failure.ErrorCode;
import io.mcpbridge.spi.TransportProvider;
import io.mcpbridge.testkit.InMemoryTransportProvider;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The stages in a bridge: their defaults and their configuration. */
@Timeout(60)
class StageDefaultsTest {
    private final FlakyServer server = new FlakyServer("{}");

    @Test
    void breakerOpensAfterFiveFailures() throws InterruptedException {
        fail(6);
        var events = new CopyOnWriteArrayList<BridgeEvent>();
        try (var bridge = bridge("", "")) {
            bridge.events().subscribe(events::add);
            for (int i = 0; i < 5; i++) {
                failure(bridge);
            }

            var refused = failure(bridge);

            assertThat(refused.code()).isEqualTo(ErrorCode.PROVIDER_UNAVAILABLE);
            assertThat(refused.delivery()).isEqualTo(Delivery.NOT_SENT);
            assertThat(refused.retryable()).isTrue();
            assertThat(server.calls()).isEqualTo(5);
            assertThat(events).hasAtLeastOneElementOfType(BridgeEvent.BreakerOpened.class);
        }
    }

    @Test
    void sectionOfTheBridgeAppliesToEveryServer() throws InterruptedException {
        fail(2);
        try (var bridge = bridge("", "\"breaker\": {\"consecutive\": 1}")) {
            failure(bridge);
            failure(bridge);

            assertThat(server.calls()).isEqualTo(1);
        }
    }

    @Test
    void sectionOfTheServerOverridesEachKeyOfTheBridge() throws InterruptedException {
        fail(3);
        try (var bridge = bridge(
                "\"breaker\": {\"consecutive\": 2}", "\"breaker\": {\"consecutive\": 1, \"open-time\": \"1m\"}")) {
            for (int i = 0; i < 3; i++) {
                failure(bridge);
            }

            assertThat(server.calls()).isEqualTo(2);
            assertThat(failure(bridge).failure().retryAfter().orElseThrow()).isGreaterThan(Duration.ofSeconds(40));
        }
    }

    @Test
    void noneDisablesAStage() throws InterruptedException {
        fail(8);
        try (var bridge = bridge("\"breaker\": \"none\"", "\"breaker\": {\"consecutive\": 1}")) {
            for (int i = 0; i < 8; i++) {
                failure(bridge);
            }

            assertThat(server.calls()).isEqualTo(8);
        }
    }

    @Test
    void unknownKeyIsRejectedWithItsLine() {
        assertThatThrownBy(() -> bridge("", "\"breaker\": {\"opn-time\": \"1s\"}"))
                .isInstanceOf(ConfigurationException.class)
                .hasMessageContaining("line 1")
                .hasMessageContaining("did you mean 'open-time'?");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "\"breaker\": {\"opn-time\": \"1s\"}  | did you mean 'open-time'?",
                "\"breaker\": 7                        | 'bridge.breaker' is 7 but must be an object",
                "\"concurrency\": {\"max\": 0}         | 'bridge.concurrency.max' is 0 but must be",
                "\"retry-budget\": {\"per-secnd\": 1}  | did you mean 'per-second'?"
            })
    void mistakeInASectionOfTheBridgeIsReportedOnce(String section, String problem) {
        var text = "{\"mcpServers\": {\"a\": {\"url\": \"http://localhost:1\"}, \"b\": {\"url\":"
                + " \"http://localhost:2\"}}, \"bridge\": {%s}}".formatted(section);

        var refused = catchThrowableOfType(
                ConfigurationException.class, () -> BridgeConfiguration.parse(text, Path.of(""), Map.of()));

        assertThat(refused.problems()).singleElement().asString().contains("bridge", problem);
    }

    @Test
    void readingTheSectionsStartsNoThread() {
        var text =
                "{\"bridge\": {\"breaker\": {}, \"concurrency\": {}, \"rate-limit\": {\"per-second\": 5}, \"cache\": {}}}";
        var before = Thread.getAllStackTraces().keySet();

        var unused = BridgeConfiguration.parse(text, Path.of(""), Map.of());

        assertThat(Thread.getAllStackTraces().keySet())
                .filteredOn(thread -> !before.contains(thread))
                .extracting(Thread::getName)
                .noneMatch(name -> name.startsWith("mcp-bridge"));
    }

    @Test
    void unknownSectionIsRejectedWithTheNearestName() {
        assertThatThrownBy(() -> bridge("", "\"braker\": {}"))
                .isInstanceOf(ConfigurationException.class)
                .hasMessageContaining("did you mean 'breaker'?");
    }

    @Test
    void toolDeclaredReadOnlyByTheOperatorIsCached() throws InterruptedException {
        var section = "\"cache\": {\"tools\": {\"work\": \"1m\"}}, \"tools\": {\"work\": {\"read-only\": true}}";
        try (var bridge = bridge(section, "")) {
            for (int i = 0; i < 3; i++) {
                bridge.callTool("moody", "work", Map.of("number", 1));
            }
            bridge.callTool("moody", "work", Map.of("number", 2));
        }

        assertThat(server.calls()).isEqualTo(2);
    }

    private void fail(int times) {
        for (int i = 0; i < times; i++) {
            server.thenRefusing(-32603);
        }
    }

    private static CallException failure(Bridge bridge) {
        return catchThrowableOfType(CallException.class, () -> bridge.callTool("moody", "work", Map.of()));
    }

    private Bridge bridge(String ofServer, String ofBridge) {
        var section = ofServer.isEmpty() ? "" : ", " + ofServer;
        var text = "{\"mcpServers\": {\"moody\": {\"type\": \"memory\", \"retry\": \"none\"%s}}, \"bridge\": {%s}}";
        var configuration = BridgeConfiguration.parse(text.formatted(section, ofBridge), Path.of(""), Map.of());
        return Bridge.open(
                configuration,
                BridgeOptions.DEFAULTS.withTransports(
                        Providers.of(TransportProvider.class, List.of(InMemoryTransportProvider.to(server)))));
    }
}
