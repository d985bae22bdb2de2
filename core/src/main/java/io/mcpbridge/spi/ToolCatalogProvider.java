package io.mcpbridge.spi;

/** Makes tool catalogs of one kind, such as {@code memory}. */
public interface ToolCatalogProvider extends Provider {

    /**
     * Makes an empty catalog, which the caller closes.
     *
     * @throws io.mcpbridge.failure.ConfigurationException if settings are wrong
     */
    ToolCatalog create(Settings settings, Environment environment);
}
