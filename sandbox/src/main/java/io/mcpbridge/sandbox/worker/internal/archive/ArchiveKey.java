package io.mcpbridge.sandbox.worker.internal.archive;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.List;
import java.util.Optional;

/**
 * What an archive fits: this very Java, and the files of a class path as they are now. Other ones would not be used.
 *
 * @param text short, and the same for the same
 */
public record ArchiveKey(String text) {

    /**
     * The key of workers with this class path and these options; empty where there can be no archive: classes in folders
     * cannot be kept in one.
     */
    public static Optional<ArchiveKey> of(List<Path> classPath, List<String> options) {
        var parts = new StringBuilder();
        for (var property : List.of("java.home", "java.vm.vendor", "java.vm.version", "os.arch")) {
            parts.append(System.getProperty(property)).append('\n');
        }
        options.forEach(option -> parts.append(option).append('\n'));
        try {
            for (var place : classPath) {
                if (isFullFolder(place)) {
                    return Optional.empty();
                }
                parts.append(look(place)).append('\n');
            }
        } catch (IOException unreadable) {
            return Optional.empty();
        }
        return Optional.of(new ArchiveKey(Digest.of(parts.toString())));
    }

    private static boolean isFullFolder(Path place) throws IOException {
        if (!Files.isDirectory(place)) {
            return false;
        }
        try (DirectoryStream<Path> content = Files.newDirectoryStream(place)) {
            return content.iterator().hasNext();
        }
    }

    /** By size and time, as the virtual machine itself compares them. */
    private static String look(Path place) throws IOException {
        if (!Files.exists(place)) {
            return place + " is missing";
        }
        var attributes = Files.readAttributes(place, BasicFileAttributes.class);
        return place + " " + attributes.size() + " " + attributes.lastModifiedTime();
    }
}
