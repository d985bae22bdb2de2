package io.mcpbridge.sandbox.worker.internal.archive;

import io.mcpbridge.failure.ConfigurationException;
import io.mcpbridge.files.OwnUser;
import io.mcpbridge.files.PrivateFile;
import io.mcpbridge.files.PrivateFolder;
import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The archives of this user: {@code $XDG_CACHE_HOME/mcp-bridge}, else {@code ~/.cache/mcp-bridge}. Any thread, and any
 * number of processes, may use it.
 *
 * <p>The name of an archive says what it fits and what is in it. One that is not what its name says, or that others could
 * have written, is not used: a virtual machine would run what it finds there.
 */
public final class ArchiveFolder {
    private static final String PREFIX = "worker-";
    private static final String SUFFIX = ".jsa";
    private static final Duration KEPT_UNUSED = Duration.ofDays(30);

    private final Path folder;
    private final OwnUser own;

    private ArchiveFolder(Path folder, OwnUser own) {
        this.folder = folder;
        this.own = own;
    }

    /** Writes an archive to a file. */
    @FunctionalInterface
    public interface Maker {

        /** Returns whether there is one now. */
        boolean write(Path file) throws InterruptedException;
    }

    /**
     * Makes the folder where it is missing.
     *
     * @throws IOException if it cannot be made or is not ours alone; the message says why
     */
    public static ArchiveFolder open(Map<String, String> variables) throws IOException {
        var cache = variables.getOrDefault("XDG_CACHE_HOME", "");
        var base = cache.startsWith("/")
                ? Path.of(cache)
                : Path.of(variables.getOrDefault("HOME", System.getProperty("user.home")), ".cache");
        try {
            var own = OwnUser.ofThisProcess();
            var folder = base.resolve("mcp-bridge");
            PrivateFolder.of(folder, "the folder of archives", own).prepare();
            return new ArchiveFolder(folder, own);
        } catch (ConfigurationException | UnsupportedOperationException unsafe) {
            throw new IOException(unsafe.getMessage(), unsafe);
        }
    }

    /** The archive that fits, if there is one that can be trusted. */
    public Optional<Path> find(ArchiveKey key) throws IOException {
        for (var file : list(PREFIX + key.text() + "-*" + SUFFIX)) {
            if (isSound(file)) {
                Files.setLastModifiedTime(file, FileTime.from(Instant.now()));
                return Optional.of(file);
            }
        }
        return Optional.empty();
    }

    private boolean isSound(Path file) throws IOException {
        try {
            PrivateFile.check(file, "the archive", own);
            return file.getFileName().toString().endsWith("-" + Digest.of(file) + SUFFIX);
        } catch (ConfigurationException foreign) {
            return false;
        }
    }

    /**
     * Has an archive written, and puts it where it is found. What was there before in its place, and what nobody used for a
     * month, is removed.
     *
     * @return empty where the maker made none
     */
    public Optional<Path> make(ArchiveKey key, Maker maker) throws IOException, InterruptedException {
        removeUnused();
        var workshop = Files.createTempDirectory(folder, PREFIX);
        try {
            var made = workshop.resolve("made" + SUFFIX);
            if (!maker.write(made) || !Files.isRegularFile(made)) {
                return Optional.empty();
            }
            Files.setPosixFilePermissions(made, PosixFilePermissions.fromString("rw-------"));
            var target = folder.resolve(PREFIX + key.text() + "-" + Digest.of(made) + SUFFIX);
            for (var broken : list(PREFIX + key.text() + "-*" + SUFFIX)) {
                Files.deleteIfExists(broken);
            }
            return Optional.of(Files.move(made, target, StandardCopyOption.ATOMIC_MOVE));
        } finally {
            remove(workshop);
        }
    }

    private void removeUnused() throws IOException {
        var oldest = Instant.now().minus(KEPT_UNUSED);
        for (var file : list(PREFIX + "*")) {
            if (Files.getLastModifiedTime(file).toInstant().isBefore(oldest)) {
                remove(file);
            }
        }
    }

    private List<Path> list(String pattern) throws IOException {
        var found = new ArrayList<Path>();
        try (var files = Files.newDirectoryStream(folder, pattern)) {
            files.forEach(found::add);
        } catch (DirectoryIteratorException unreadable) {
            throw unreadable.getCause();
        }
        return found;
    }

    /** A file, or a folder with files in it. */
    private static void remove(Path place) throws IOException {
        if (Files.isDirectory(place)) {
            try (var files = Files.newDirectoryStream(place)) {
                for (var file : files) {
                    Files.deleteIfExists(file);
                }
            }
        }
        Files.deleteIfExists(place);
    }
}
