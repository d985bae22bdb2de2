package io.mcpbridge.transport.http.client;

import io.mcpbridge.spi.Environment;
import io.mcpbridge.spi.Settings;
import io.mcpbridge.spi.Transport;
import io.mcpbridge.spi.TransportProvider;
import io.mcpbridge.spi.TransportTraits.Shape;
import io.mcpbridge.transport.http.internal.SharedEventLoopGroup;
import java.util.Set;

/** Provides {@code sse}: HTTP+SSE of revision 2024-11-05, for servers without Streamable HTTP. */
public final class SseTransportProvider implements TransportProvider {
    private final SharedEventLoopGroup loops = new SharedEventLoopGroup("mcp-bridge-sse-client");

    @Override
    public Id id() {
        return new Id("sse", SPI_VERSION);
    }

    @Override
    public Set<String> schemes() {
        return Set.of();
    }

    @Override
    public Transport create(Settings settings, Environment environment) {
        return create(HttpTransportSettings.from(settings), environment);
    }

    /** Creates a transport, not open yet, from settings made in code. */
    public Transport create(HttpTransportSettings settings, Environment environment) {
        return new HttpTransport(Shape.SHARED_STREAM, settings, environment, loops);
    }
}
