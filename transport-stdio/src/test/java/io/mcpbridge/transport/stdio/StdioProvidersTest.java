package io.mcpbridge.transport.stdio;

import static org.assertj.core.api.Assertions.assertThat;

import io.mcpbridge.spi.ListenerProvider;
import io.mcpbridge.spi.Provider;
import io.mcpbridge.spi.TransportProvider;
import io.mcpbridge.transport.stdio.StdioListener.StdioListenerProvider;
import io.mcpbridge.transport.stdio.StdioTransport.StdioTransportProvider;
import java.util.ServiceLoader;
import org.junit.jupiter.api.Test;

/** The services files name the providers. */
class StdioProvidersTest {

    @Test
    void transportIsFoundByName() {
        var found = ServiceLoader.load(TransportProvider.class).stream()
                .map(ServiceLoader.Provider::get)
                .filter(provider -> provider.name().equals("stdio"))
                .toList();

        assertThat(found).singleElement().isInstanceOfSatisfying(StdioTransportProvider.class, provider -> {
            assertThat(provider.schemes()).containsExactly("stdio");
            assertThat(provider.id().spiVersion()).isEqualTo(Provider.SPI_VERSION);
        });
    }

    @Test
    void listenerIsFoundByName() {
        var found = ServiceLoader.load(ListenerProvider.class).stream()
                .map(ServiceLoader.Provider::get)
                .filter(provider -> provider.name().equals("stdio"))
                .toList();

        assertThat(found)
                .singleElement()
                .isInstanceOfSatisfying(
                        StdioListenerProvider.class,
                        provider -> assertThat(provider.id().spiVersion()).isEqualTo(Provider.SPI_VERSION));
    }
}
