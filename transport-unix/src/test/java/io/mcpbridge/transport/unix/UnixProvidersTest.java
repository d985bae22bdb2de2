package io.mcpbridge.transport.unix;

import static org.assertj.core.api.Assertions.assertThat;

import io.mcpbridge.spi.ListenerProvider;
import io.mcpbridge.spi.Settings;
import io.mcpbridge.spi.TransportProvider;
import java.util.Map;
import java.util.ServiceLoader;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class UnixProvidersTest {

    @RegisterExtension
    final TestEnvironment environment = new TestEnvironment();

    @Test
    void transportIsFoundByName() {
        assertThat(ServiceLoader.load(TransportProvider.class))
                .filteredOn(provider -> provider.name().equals("unix"))
                .singleElement()
                .satisfies(provider -> assertThat(provider.schemes()).containsExactly("unix"));
    }

    @Test
    void listenerIsFoundByName() {
        assertThat(ServiceLoader.load(ListenerProvider.class))
                .filteredOn(provider -> provider.name().equals("unix"))
                .hasSize(1);
    }

    @Test
    void listenerWithoutAPathUsesTheDefault() {
        try (var listener = new UnixListenerProvider().create(Settings.of(Map.of()), environment.get())) {
            assertThat(listener.address().toString()).startsWith("unix:/").endsWith("/bridge.sock");
        }
    }
}
