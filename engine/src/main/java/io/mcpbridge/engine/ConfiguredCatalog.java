package io.mcpbridge.engine;

import io.mcpbridge.config.BridgeConfiguration;
import io.mcpbridge.discovery.Providers;
import io.mcpbridge.spi.Environment;
import io.mcpbridge.spi.Settings;
import io.mcpbridge.spi.ToolCatalog;
import io.mcpbridge.spi.ToolCatalogProvider;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Optional;

/**
 * The tool catalog that the section {@code catalog} selects: that of {@code kind}, else {@code pinned} if the section
 * names a lock file, else {@code memory}. Immutable, except for the section.
 */
public final class ConfiguredCatalog {
    private static final String KIND = "kind";
    private static final String LOCK = "lock";
    private static final String MODE = "mode";

    private final Settings section;
    private final Path folder;

    private ConfiguredCatalog(Settings section, Path folder) {
        this.section = section;
        this.folder = folder;
    }

    /** The choice of a configuration. */
    public static ConfiguredCatalog of(BridgeConfiguration configuration) {
        return new ConfiguredCatalog(configuration.bridge().plugIns().catalog(), configuration.folder());
    }

    /**
     * Creates an empty catalog, which the caller closes.
     *
     * @throws io.mcpbridge.failure.ConfigurationException with every mistake in the section, or if the catalog is not
     *     installed or cannot be used
     */
    public ToolCatalog make(Environment environment) {
        var kind = section.text(KIND, section.has(LOCK) ? "pinned" : "memory");
        var own = own();
        return section.finish(
                () -> Providers.of(ToolCatalogProvider.class).named(kind).create(located(own, lock(own)), environment));
    }

    /**
     * Creates a pinned catalog that reports findings and rejects no tool. Its file is {@code mcp.lock} if the section
     * names none.
     */
    public ToolCatalog makeToCompare(Environment environment) {
        var own = own();
        var file = lock(own).orElseGet(() -> folder.resolve("mcp.lock"));
        var settings = located(own, Optional.of(file)).with(Map.of(MODE, "warn"));
        return Providers.of(ToolCatalogProvider.class).named("pinned").create(settings, environment);
    }

    /** The file of approved definitions. */
    public Path lock() {
        return lock(own()).orElseGet(() -> folder.resolve("mcp.lock"));
    }

    /** The keys that the catalog reads itself. */
    private Settings own() {
        var keys = new LinkedHashSet<>(section.keys());
        keys.remove(KIND);
        return section.only(keys);
    }

    private Optional<Path> lock(Settings own) {
        return own.text(LOCK).filter(text -> !text.isBlank()).map(folder::resolve);
    }

    private static Settings located(Settings own, Optional<Path> file) {
        var values = new LinkedHashMap<String, Object>();
        file.ifPresent(path -> values.put(LOCK, path.toString()));
        return own.with(values);
    }
}
