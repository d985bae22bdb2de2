package io.mcpbridge.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.mcpbridge.Bridge;
import io.mcpbridge.BridgeOptions;
import io.mcpbridge.config.BridgeConfiguration;
import io.mcpbridge.discovery.Providers;
import io.mcpbridge.failure.ConfigurationException;
import io.mcpbridge.spi.CallStage;
import io.mcpbridge.spi.CallStage.Place;
import io.mcpbridge.spi.CallStageProvider;
import io.mcpbridge.spi.StageContext;
import io.mcpbridge.spi.TransportProvider;
import io.mcpbridge.testkit.EchoScript;
import io.mcpbridge.testkit.InMemoryTransportProvider;
import io.mcpbridge.tool.ToolHints;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Stages of plug-ins before a server: their order, their events, and how they are chosen. */
@Timeout(60)
class StagesTest {
    private final List<String> passed = Collections.synchronizedList(new ArrayList<>());
    private final List<ToolHints> hints = Collections.synchronizedList(new ArrayList<>());
    private final List<String> words = Collections.synchronizedList(new ArrayList<>());

    @Test
    void stagesRunInTheOrderOfTheirPlaces() throws InterruptedException {
        try (var bridge =
                bridge("{}", stage("z", Place.CACHE), stage("y", Place.RATE_LIMIT), stage("a", Place.CONCURRENCY))) {
            bridge.callTool("one", "echo", Map.of("text", "hi"));
        }

        assertThat(passed).containsExactly("z", "y", "a");
    }

    @Test
    void stageReceivesOnlyItsOwnSection() throws InterruptedException {
        try (var bridge =
                bridge("{\"a\": {\"word\": \"hello\"}}", stage("a", Place.CACHE), stage("b", Place.BREAKER))) {
            bridge.callTool("one", "echo", Map.of("text", "hi"));
        }

        // Once to check the section and once to make the stage.
        assertThat(words).containsOnly("a says hello", "b says nothing");
    }

    @Test
    void disabledStageIsNotCreated() throws InterruptedException {
        try (var bridge = bridge("{\"a\": \"none\"}", stage("a", Place.CACHE))) {
            bridge.callTool("one", "echo", Map.of("text", "hi"));
        }

        assertThat(passed).isEmpty();
    }

    @Test
    void twoStagesForOnePlaceAreRejected() {
        assertThatThrownBy(() -> bridge("{}", stage("a", Place.CACHE), stage("b", Place.CACHE)))
                .isInstanceOf(ConfigurationException.class)
                .hasMessageContaining("the stages 'a' and 'b' both want the place CACHE");
    }

    @Test
    void unknownKeyOfAStageIsRejectedWithTheNearestKey() {
        assertThatThrownBy(() -> bridge("{\"a\": {\"wrod\": \"hello\"}}", stage("a", Place.CACHE)))
                .isInstanceOf(ConfigurationException.class)
                .hasMessageContaining("did you mean 'word'?");
    }

    @Test
    void sectionThatIsNotAnObjectIsRejected() {
        assertThatThrownBy(() -> bridge("{\"a\": 7}", stage("a", Place.CACHE)))
                .isInstanceOf(ConfigurationException.class)
                .hasMessageContaining("but must be an object");
    }

    @Test
    void hintsOfTheOperatorPrecedeThoseOfTheServer() throws InterruptedException {
        try (var bridge = bridge("{\"tools\": {\"echo\": {\"read-only\": true}}}", stage("a", Place.CACHE))) {
            bridge.callTool("one", "echo", Map.of("text", "hi"));
        }

        assertThat(hints).singleElement().satisfies(said -> {
            assertThat(said.readOnly()).isTrue();
            assertThat(said.source()).isEqualTo(ToolHints.Source.OPERATOR);
        });
    }

    private Bridge bridge(String more, CallStageProvider... stages) {
        var section = "{\"type\": \"memory\"%s%s".formatted(more.equals("{}") ? "" : ", ", more.substring(1));
        var configuration = BridgeConfiguration.parse(
                "{\"mcpServers\": {\"one\": %s}, \"bridge\": {\"retry\": {\"policy\": \"none\"}}}".formatted(section),
                Path.of(""),
                Map.of());
        var transports =
                Providers.only(TransportProvider.class, List.of(InMemoryTransportProvider.to(new EchoScript())));
        return Bridge.open(
                configuration,
                BridgeOptions.DEFAULTS
                        .withTransports(transports)
                        .withStages(Providers.only(CallStageProvider.class, List.of(stages))));
    }

    private CallStageProvider stage(String name, Place place) {
        return new CallStageProvider() {
            @Override
            public Place place() {
                return place;
            }

            @Override
            public Optional<CallStage> create(StageContext context) {
                var settings = context.settings();
                var word = settings.text("word", "nothing");
                words.add(settings.finish(() -> name + " says " + word));
                return Optional.of((call, next) -> {
                    passed.add(name);
                    hints.add(context.hints(call));
                    next.handle(call);
                });
            }

            @Override
            public Id id() {
                return new Id(name, SPI_VERSION);
            }
        };
    }
}
