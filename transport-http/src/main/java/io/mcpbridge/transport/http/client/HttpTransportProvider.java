package io.mcpbridge.transport.http.client;

import io.mcpbridge.spi.Environment;
import io.mcpbridge.spi.Settings;
import io.mcpbridge.spi.Transport;
import io.mcpbridge.spi.TransportProvider;
import io.mcpbridge.spi.TransportTraits.Shape;
import io.mcpbridge.transport.http.internal.SharedEventLoopGroup;
import java.util.Set;

/**
 * Provides {@code http}: Streamable HTTP, with or without TLS. The transports of one provider share its event loops.
 */
public final class HttpTransportProvider implements TransportProvider {
    private final SharedEventLoopGroup loops = new SharedEventLoopGroup("mcp-bridge-http-client");

    @Override
    public Id id() {
        return new Id("http", SPI_VERSION);
    }

    @Override
    public Set<String> schemes() {
        return Set.of("http", "https");
    }

    @Override
    public Transport create(Settings settings, Environment environment) {
        return create(HttpTransportSettings.from(settings), environment);
    }

    /** Creates a transport, not open yet, from settings made in code. */
    public Transport create(HttpTransportSettings settings, Environment environment) {
        return new HttpTransport(Shape.STREAM_PER_REQUEST, settings, environment, loops);
    }
}
