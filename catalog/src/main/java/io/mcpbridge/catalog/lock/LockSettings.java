package io.mcpbridge.catalog.lock;

import io.mcpbridge.failure.ConfigurationException;
import io.mcpbridge.spi.Settings;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.stream.Stream;

/**
 * The lock file and its use.
 *
 * @param lock the file
 * @param mode what happens to tools with other definitions
 */
public record LockSettings(Path lock, LockMode mode) {
    private static final String LOCK = "lock";
    private static final String MODE = "mode";

    /** The default file. */
    public static final Path FILE = Path.of("mcp.lock");

    public static final LockSettings DEFAULTS = new LockSettings(FILE, LockMode.ENFORCE);

    /**
     * Reads a {@code catalog} section; a key that is absent keeps its default.
     *
     * @throws ConfigurationException with every mistake in it
     */
    public static LockSettings from(Settings settings) {
        var lock = path(settings);
        var words = Stream.of(LockMode.values()).map(LockMode::text).toList();
        var mode = settings.choice(MODE, LockMode.values(), LockMode::text, "one of " + words)
                .orElse(DEFAULTS.mode);
        return settings.finish(() -> new LockSettings(lock, mode));
    }

    private static Path path(Settings settings) {
        var text = settings.text(LOCK, FILE.toString());
        try {
            if (!text.isBlank()) {
                return Path.of(text);
            }
        } catch (InvalidPathException unusable) {
            // Rejected below, like an empty one.
        }
        settings.reject(LOCK, "the path of a file, such as 'mcp.lock'");
        return FILE;
    }
}
