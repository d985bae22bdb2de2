package io.mcpbridge.transport.stdio;

import io.mcpbridge.spi.Environment;
import io.mcpbridge.spi.SandboxLevel;
import io.mcpbridge.spi.Settings;
import io.mcpbridge.spi.Transport;
import io.mcpbridge.spi.TransportProvider;
import java.util.Optional;
import java.util.Set;

/** Provides {@code stdio}: a server that is our child and speaks over its standard streams. */
public final class StdioTransportProvider implements TransportProvider {
    private final ProgramDigests digests = new ProgramDigests();

    @Override
    public String name() {
        return "stdio";
    }

    @Override
    public int spiVersion() {
        return SPI_VERSION;
    }

    @Override
    public Set<String> schemes() {
        return Set.of("stdio");
    }

    @Override
    public Transport create(Settings settings, Environment environment) {
        return new StdioTransport(StdioSettings.from(settings), environment, digests);
    }

    @Override
    public Optional<SandboxLevel> sandbox(Settings settings, Environment environment) {
        return Optional.of(new StdioTransport(StdioSettings.from(settings), environment).level());
    }
}
