package io.mcpbridge.transport.http.client;

import io.mcpbridge.spi.Environment;
import io.mcpbridge.spi.Provider;
import io.mcpbridge.spi.Settings;
import io.mcpbridge.spi.Transport;
import io.mcpbridge.spi.TransportProvider;
import io.mcpbridge.transport.http.internal.EventLoops;
import java.util.Set;

/** Provides {@code http}: Streamable HTTP, in the clear and over TLS. Its transports share their event loops. */
public final class HttpTransportProvider implements TransportProvider {
    private final EventLoops loops = new EventLoops("mcp-bridge-http-client");

    @Override
    public String name() {
        return "http";
    }

    @Override
    public int spiVersion() {
        return Provider.SPI_VERSION;
    }

    @Override
    public Set<String> schemes() {
        return Set.of("http", "https");
    }

    @Override
    public Transport create(Settings settings, Environment environment) {
        return create(HttpTransportSettings.from(settings), environment);
    }

    /** Makes a transport that is not open yet, from settings made in code. */
    public Transport create(HttpTransportSettings settings, Environment environment) {
        return new HttpTransport(HttpTransport.Style.STREAMABLE, settings, environment, loops);
    }
}
