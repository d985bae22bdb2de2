package io.mcpbridge.standard;

import io.mcpbridge.spi.Environment;
import io.mcpbridge.spi.Settings;
import io.mcpbridge.spi.ToolCatalog;
import io.mcpbridge.spi.ToolCatalogProvider;

/** Provides {@code memory}: a catalog that forgets everything with the process. */
public final class MemoryToolCatalogProvider implements ToolCatalogProvider {

    @Override
    public String name() {
        return "memory";
    }

    @Override
    public int spiVersion() {
        return SPI_VERSION;
    }

    @Override
    public ToolCatalog create(Settings settings, Environment environment) {
        return new MemoryToolCatalog();
    }
}
