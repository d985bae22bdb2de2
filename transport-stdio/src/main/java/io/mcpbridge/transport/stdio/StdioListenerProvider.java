package io.mcpbridge.transport.stdio;

import io.mcpbridge.spi.Environment;
import io.mcpbridge.spi.Listener;
import io.mcpbridge.spi.ListenerProvider;
import io.mcpbridge.spi.Settings;
import io.mcpbridge.stream.LineSettings;

/** Provides {@code stdio}: one client that started us and speaks over our own standard streams. */
public final class StdioListenerProvider implements ListenerProvider {

    @Override
    public String name() {
        return "stdio";
    }

    @Override
    public int spiVersion() {
        return SPI_VERSION;
    }

    @Override
    public Listener create(Settings settings, Environment environment) {
        return new StdioListener(
                StdioListenerSettings.from(settings, LineSettings.of(environment.bounds())), environment);
    }
}
