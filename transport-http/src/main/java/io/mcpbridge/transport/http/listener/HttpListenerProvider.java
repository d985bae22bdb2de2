package io.mcpbridge.transport.http.listener;

import io.mcpbridge.spi.Environment;
import io.mcpbridge.spi.Listener;
import io.mcpbridge.spi.ListenerProvider;
import io.mcpbridge.spi.Settings;
import io.mcpbridge.transport.http.internal.SharedEventLoopGroup;

/** Provides {@code http}: Streamable HTTP on a port. The listeners of one provider share its event loops. */
public final class HttpListenerProvider implements ListenerProvider {
    private final SharedEventLoopGroup loops = new SharedEventLoopGroup("mcp-bridge-http-listener");

    @Override
    public Id id() {
        return new Id("http", SPI_VERSION);
    }

    @Override
    public Listener create(Settings settings, Environment environment) {
        return create(HttpListenerSettings.from(settings, environment.limits()), environment);
    }

    /** Creates a listener, not started yet, from settings made in code. */
    public Listener create(HttpListenerSettings settings, Environment environment) {
        return new HttpListener(settings, environment, loops);
    }
}
