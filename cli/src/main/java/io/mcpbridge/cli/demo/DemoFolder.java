package io.mcpbridge.cli.demo;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;

/** The demonstration's temporary folder. */
final class DemoFolder {

    private DemoFolder() {}

    /** Deletes the folder with everything in it. */
    static void delete(Path folder) throws IOException {
        try (var inside = Files.walk(folder)) {
            for (var path : inside.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(path);
            }
        }
    }
}
