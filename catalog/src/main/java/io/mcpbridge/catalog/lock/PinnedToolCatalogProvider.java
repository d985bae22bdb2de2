package io.mcpbridge.catalog.lock;

import io.mcpbridge.spi.Environment;
import io.mcpbridge.spi.Settings;
import io.mcpbridge.spi.ToolCatalog;
import io.mcpbridge.spi.ToolCatalogProvider;

/** Provides {@code pinned}: a catalog that takes the tools which are defined as a file says. */
public final class PinnedToolCatalogProvider implements ToolCatalogProvider {

    @Override
    public String name() {
        return "pinned";
    }

    @Override
    public int spiVersion() {
        return SPI_VERSION;
    }

    @Override
    public ToolCatalog create(Settings settings, Environment environment) {
        return settings.locate(() -> PinnedToolCatalog.open(LockSettings.from(settings)));
    }
}
