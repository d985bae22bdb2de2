package io.mcpbridge.architecture;

import java.nio.file.Files;
import java.nio.file.Path;

/** The folder that holds the modules. */
public final class Repository {

    private Repository() {}

    /** The nearest folder at or above the working one that has {@code settings.gradle.kts}. */
    public static Path root() {
        for (Path folder = Path.of("").toAbsolutePath(); folder != null; folder = folder.getParent()) {
            if (Files.exists(folder.resolve("settings.gradle.kts"))) {
                return folder;
            }
        }
        throw new IllegalStateException("No folder above the working one has 'settings.gradle.kts'");
    }
}
