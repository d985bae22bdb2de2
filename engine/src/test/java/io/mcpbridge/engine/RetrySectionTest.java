package io.mcpbridge.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.mcpbridge.config.ServerSettings;
import io.mcpbridge.discovery.Providers;
import io.mcpbridge.engine.routing.ServerRoute;
import io.mcpbridge.engine.upstream.connection.BridgeIdentity;
import io.mcpbridge.engine.upstream.connection.UpstreamParts.Reconnecting;
import io.mcpbridge.event.EventBus;
import io.mcpbridge.failure.ConfigurationException;
import io.mcpbridge.spi.CallStageProvider;
import io.mcpbridge.spi.Environment;
import io.mcpbridge.spi.MemoryToolCatalog;
import io.mcpbridge.spi.RetryPolicy;
import io.mcpbridge.spi.RetryPolicy.Attempt;
import io.mcpbridge.spi.RetryPolicy.Decision;
import io.mcpbridge.spi.RetryPolicyProvider;
import io.mcpbridge.spi.Settings;
import io.mcpbridge.spi.TransportProvider;
import io.mcpbridge.testkit.FakeTimekeeper;
import io.mcpbridge.testkit.RecordingLogger;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** A retry policy of another author reads the keys that the section has, and no others. */
class RetrySectionTest {
    private final RecordingLogger log = new RecordingLogger();
    private final Environment environment = Environment.of(new FakeTimekeeper(), Runnable::run, Fakes.NO_LAUNCHER)
            .withLogger(log)
            .withVariables(Map.of());
    private final ConstantDelayProvider policies = new ConstantDelayProvider();

    @Test
    void absentKeysAreNotPassedToThePolicy() {
        open("{}");

        assertThat(policies.made).allSatisfy(policy -> assertThat(policy).isEqualTo(ConstantDelay.DEFAULTS));
    }

    @Test
    void policyReadsTheKeysOfTheServer() {
        open("{\"maxRetries\": 2, \"retry-delay\": \"1s\"}");

        assertThat(policies.made)
                .allSatisfy(policy -> assertThat(policy).isEqualTo(new ConstantDelay(3, Duration.ofSeconds(1))));
    }

    @Test
    void policyOfAToolReadsTheKeysOfTheToolAndItsServer() {
        open("{\"retry-delay\": \"1s\", \"tools\": {\"t\": {\"max-retries\": 1}}}");

        assertThat(policies.made)
                .contains(new ConstantDelay(5, Duration.ofSeconds(1)), new ConstantDelay(2, Duration.ofSeconds(1)));
    }

    @Test
    void unknownKeyOfThePolicyIsReportedWithItsSection() {
        assertThatThrownBy(() -> open("{\"tools\": {\n\"t\": {\"backoff-multiplier\": 2}}}"))
                .isInstanceOf(ConfigurationException.class)
                .hasMessageContaining("line 2: in 'tools.t': 'multiplier' is not a key here");
    }

    @Test
    void policyThatThrowsIsReportedAsAConfigurationMistake() {
        assertThatThrownBy(() -> open("{\n\"retry-delay\": \"0s\"}"))
                .isInstanceOf(ConfigurationException.class)
                .hasMessageContaining("a plug-in failed: java.lang.IllegalArgumentException: no delay");
    }

    private ServerRoute open(String section) {
        var plugins = new Plugins(
                Providers.only(TransportProvider.class, List.of(new HeldServers())),
                Providers.only(RetryPolicyProvider.class, List.of(policies)),
                Providers.only(CallStageProvider.class, List.of()));
        var servers = new RouteFactory(
                environment,
                plugins,
                new EventBus(log),
                new MemoryToolCatalog(),
                BridgeIdentity.OURS,
                (server, changed) -> {});
        var settings = ServerSettings.of("one", "held", Settings.parse(section));
        return servers.open(settings, Reconnecting.ON_DEMAND, "constant");
    }

    /** Retries after the same delay each time. */
    private record ConstantDelay(int maxAttempts, Duration delay) implements RetryPolicy {
        static final ConstantDelay DEFAULTS = new ConstantDelay(5, Duration.ofMillis(50));

        private ConstantDelay {
            if (delay.isZero()) {
                throw new IllegalArgumentException("no delay");
            }
        }

        @Override
        public Decision decide(Attempt failed) {
            return new Decision.Stop("never asked");
        }
    }

    private static final class ConstantDelayProvider implements RetryPolicyProvider {
        final List<RetryPolicy> made = new ArrayList<>();

        @Override
        public Id id() {
            return new Id("constant", SPI_VERSION);
        }

        @Override
        public RetryPolicy create(Settings settings, Environment environment) {
            var attempts = settings.integer("max-attempts", ConstantDelay.DEFAULTS.maxAttempts());
            var delay = settings.duration("first-delay", ConstantDelay.DEFAULTS.delay());
            var policy = settings.finish(() -> new ConstantDelay(attempts, delay));
            made.add(policy);
            return policy;
        }
    }
}
