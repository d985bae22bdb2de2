package io.mcpbridge.transport.unix;

import io.mcpbridge.spi.Environment;
import io.mcpbridge.spi.Settings;
import io.mcpbridge.spi.Transport;
import io.mcpbridge.spi.TransportProvider;
import java.util.Set;

/** Provides {@code unix}: transports to servers on Unix sockets. All Unix sockets of a process share their threads. */
public final class UnixTransportProvider implements TransportProvider {
    @Override
    public Id id() {
        return new Id("unix", SPI_VERSION);
    }

    @Override
    public Set<String> schemes() {
        return Set.of("unix");
    }

    @Override
    public Transport create(Settings settings, Environment environment) {
        return new UnixTransport(UnixTransportSettings.from(settings), environment, SocketEventLoopGroup.COMMON);
    }
}
