package io.mcpbridge.guice;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.common.base.Preconditions;
import com.google.inject.AbstractModule;
import com.google.inject.CreationException;
import com.google.inject.Guice;
import com.google.inject.Injector;
import com.google.inject.Key;
import com.google.inject.Provides;
import com.google.inject.ProvisionException;
import com.google.inject.TypeLiteral;
import com.google.inject.util.Modules;
import io.mcpbridge.Bridge;
import io.mcpbridge.BridgeOptions;
import io.mcpbridge.call.CallTracer;
import io.mcpbridge.config.BridgeConfiguration;
import io.mcpbridge.discovery.Providers;
import io.mcpbridge.event.EventBus;
import io.mcpbridge.message.Methods;
import io.mcpbridge.spi.AuditSinkProvider;
import io.mcpbridge.spi.CallObserver;
import io.mcpbridge.spi.ListenerProvider;
import io.mcpbridge.spi.RetryPolicyProvider;
import io.mcpbridge.spi.ToolCatalogProvider;
import io.mcpbridge.spi.TransportProvider;
import io.mcpbridge.testkit.InMemoryTransportProvider;
import io.mcpbridge.testkit.LeakCheck;
import io.mcpbridge.testkit.ScriptedServer;
import io.mcpbridge.tool.Content;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Properties;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

@Timeout(60)
class BridgeModuleTest {
    private static final String ONE_SERVER =
            "{\"mcpServers\": {\"tool\": {\"type\": \"memory\", \"retry\": \"none\"}}}";

    @TempDir
    private Path folder;

    @Test
    void injectedBridgeCallsATool() throws InterruptedException {
        var before = LeakCheck.now();

        try (var bridge = injector(BridgeConfiguration.parse(ONE_SERVER, folder, Map.of()))
                .getInstance(Bridge.class)) {
            var result = bridge.callTool("tool", "greet", Map.of("name", "Ada"));

            assertThat(result.isError()).isFalse();
            assertThat(result.blocks()).containsExactly(new Content.Text("hello"));
        }
        before.assertNothingLeft();
    }

    @Test
    void optionsOfTheProgramAreUsed() throws InterruptedException {
        var seen = new AtomicInteger();
        var observer = new CallObserver() {
            @Override
            public CallTracer begun(CallStart start) {
                seen.incrementAndGet();
                return CallTracer.NONE;
            }
        };
        var configuration = BridgeConfiguration.parse(ONE_SERVER, folder, Map.of());
        var injector = Guice.createInjector(memory(), binder -> {
            binder.bind(BridgeConfiguration.class).toInstance(configuration);
            binder.bind(BridgeOptions.class).toInstance(BridgeOptions.DEFAULTS.withObserver(observer));
        });

        try (var bridge = injector.getInstance(Bridge.class)) {
            var unused = bridge.callTool("tool", "greet", Map.of("name", "Ada"));
        }

        assertThat(seen).hasValue(1);
    }

    @Test
    void allInjectionsShareOneBridge() {
        var injector = injector(BridgeConfiguration.parse(ONE_SERVER, folder, Map.of()));

        try (var bridge = injector.getInstance(Bridge.class)) {
            assertThat(injector.getInstance(Bridge.class)).isSameAs(bridge);
            assertThat(injector.getInstance(EventBus.class)).isSameAs(bridge.events());
        }
    }

    /** Guice itself brings a release of 2021 with known defects. */
    @Test
    void guavaIsNewerThanThatOfGuice() throws IOException {
        var description = "/META-INF/maven/com.google.guava/guava/pom.properties";
        try (var file = Objects.requireNonNull(Preconditions.class.getResourceAsStream(description))) {
            var properties = new Properties();
            properties.load(file);

            assertThat(properties.getProperty("version")).matches("(3[3-9]|[4-9]\\d)\\..*");
        }
    }

    @Test
    void configurationMayBeAFile() throws IOException {
        var file = Files.writeString(folder.resolve("mcp.json"), ONE_SERVER);
        var injector = Guice.createInjector(memory(), new ConfigurationFileModule(), new AbstractModule() {
            @Provides
            @ConfigurationFile
            Path file() {
                return file;
            }
        });

        try (var bridge = injector.getInstance(Bridge.class)) {
            assertThat(bridge.servers()).containsExactly("tool");
        }
    }

    @Test
    void mistakeInTheFileIsReported() {
        var file = folder.resolve("none.json");
        var injector = Guice.createInjector(
                new BridgeModule(),
                new ConfigurationFileModule(),
                binder -> binder.bind(Path.class)
                        .annotatedWith(ConfigurationFile.class)
                        .toInstance(file));

        assertThatThrownBy(() -> injector.getInstance(Bridge.class))
                .isInstanceOf(ProvisionException.class)
                .hasMessageContaining("there is no configuration '%s'", file);
    }

    @Test
    void bridgeNeedsAConfiguration() {
        assertThatThrownBy(() -> Guice.createInjector(new BridgeModule()))
                .isInstanceOf(CreationException.class)
                .hasMessageContaining("BridgeConfiguration");
    }

    static Stream<Key<?>> extensionPoints() {
        return Stream.of(
                Key.get(new TypeLiteral<Providers<TransportProvider>>() {}),
                Key.get(new TypeLiteral<Providers<RetryPolicyProvider>>() {}),
                Key.get(new TypeLiteral<Providers<ListenerProvider>>() {}),
                Key.get(new TypeLiteral<Providers<AuditSinkProvider>>() {}),
                Key.get(new TypeLiteral<Providers<ToolCatalogProvider>>() {}));
    }

    @ParameterizedTest
    @MethodSource("extensionPoints")
    void providersAreFoundOnce(Key<?> providers) {
        var injector = injector(BridgeConfiguration.parse(ONE_SERVER, folder, Map.of()));

        assertThat(injector.getInstance(providers)).isSameAs(injector.getInstance(providers));
    }

    private static Injector injector(BridgeConfiguration configuration) {
        return Guice.createInjector(
                memory(), binder -> binder.bind(BridgeConfiguration.class).toInstance(configuration));
    }

    private static com.google.inject.Module memory() {
        var script = new ScriptedServer()
                .on(
                        Methods.INITIALIZE,
                        "{\"protocolVersion\":\"2025-06-18\",\"capabilities\":{\"tools\":{}},"
                                + "\"serverInfo\":{\"name\":\"memory\",\"version\":\"1\"}}")
                .on(Methods.TOOLS_CALL, "{\"content\":[{\"type\":\"text\",\"text\":\"hello\"}]}");
        var transports = Providers.of(TransportProvider.class, List.of(InMemoryTransportProvider.to(script)));
        return Modules.override(new BridgeModule())
                .with(binder -> binder.bind(new TypeLiteral<Providers<TransportProvider>>() {})
                        .toInstance(transports));
    }
}
