package io.mcpbridge.transport.stdio;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.channels.Channels;
import java.nio.channels.SeekableByteChannel;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.SecureDirectoryStream;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributeView;
import java.nio.file.attribute.FileTime;
import java.security.DigestOutputStream;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.time.Instant;
import java.util.HexFormat;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Caches the SHA-256 of programs. A program is read again only if its file may have changed. The provider owns it; any
 * thread may use it.
 */
final class ProgramDigestCache {
    private static final int MAX_KNOWN = 1_000;

    /** How often a file is read if it is replaced meanwhile. */
    private static final int ATTEMPTS = 3;

    private final Map<Path, Known> known = new ConcurrentHashMap<>();
    private final FileReading reading;

    ProgramDigestCache() {
        this(DigestedFile::read);
    }

    /** @param reading reads the file that a path leads to */
    ProgramDigestCache(FileReading reading) {
        this.reading = reading;
    }

    /** Reads the file that a path leads to at this moment. */
    @FunctionalInterface
    interface FileReading {
        DigestedFile read(Path file) throws IOException;
    }

    /**
     * The digest of a program.
     *
     * @param digest in lower-case hexadecimal digits
     * @param stamp identifies the unchanged file; empty if the system has none
     * @param showsChanges whether the stamp shows every later change
     */
    record Known(String digest, Optional<FileStamp> stamp, boolean showsChanges) {}

    /** Returns the digest of a file; reads the file unless its digest is known. */
    Known of(Path file, Instant now) throws IOException {
        var before = known.get(file);
        if (before != null && before.stamp().equals(FileStamp.of(file))) {
            return before;
        }
        var read = read(file, now);
        if (read.showsChanges()) {
            keep(file, read);
        }
        return read;
    }

    /** Whether a path still leads to the same content; reads it again if the stamp might miss a change. */
    boolean isStill(Path file, Known before) throws IOException {
        return before.showsChanges()
                ? FileStamp.of(file).equals(before.stamp())
                : read(file, Instant.MIN).digest().equals(before.digest());
    }

    private Known read(Path file, Instant now) throws IOException {
        for (int i = 0; i < ATTEMPTS; i++) {
            var stamp = FileStamp.of(file);
            var read = reading.read(file);
            if (isOf(read, stamp) && FileStamp.of(file).equals(stamp)) {
                var showsChanges = stamp.filter(each -> each.isOldAt(now)).isPresent();
                return new Known(read.sha256(), stamp, showsChanges);
            }
        }
        throw new IOException("another file took its place each time it was read; find out what replaces it");
    }

    /** Whether the content belongs to the file with the stamp, as far as the system shows. */
    private static boolean isOf(DigestedFile read, Optional<FileStamp> stamp) {
        return read.key().isEmpty() || stamp.map(FileStamp::key).equals(read.key());
    }

    private void keep(Path file, Known read) {
        if (known.size() >= MAX_KNOWN) {
            known.clear();
        }
        known.put(file, read);
    }

    /**
     * The content of a file, and its identity.
     *
     * @param sha256 in lower-case hexadecimal digits
     * @param key device and number of the file; empty if the system cannot hold a folder open
     */
    record DigestedFile(String sha256, Optional<Object> key) {

        /**
         * Reads the file that a path leads to. If its folder can be held open, attributes and content are read through
         * that folder: renaming a parent folder, which no attribute of the file shows, cannot substitute another file.
         */
        static DigestedFile read(Path file) throws IOException {
            var real = file.toRealPath();
            try (var folder = Files.newDirectoryStream(real.getParent())) {
                if (folder instanceof SecureDirectoryStream<Path> held) {
                    return in(held, real.getFileName());
                }
            }
            try (var channel = Files.newByteChannel(real)) {
                return new DigestedFile(digest(channel), Optional.empty());
            }
        }

        private static DigestedFile in(SecureDirectoryStream<Path> folder, Path name) throws IOException {
            var key = folder.getFileAttributeView(name, BasicFileAttributeView.class, LinkOption.NOFOLLOW_LINKS)
                    .readAttributes()
                    .fileKey();
            try (var channel =
                    folder.newByteChannel(name, Set.of(StandardOpenOption.READ, LinkOption.NOFOLLOW_LINKS))) {
                return new DigestedFile(digest(channel), Optional.ofNullable(key));
            }
        }

        private static String digest(SeekableByteChannel channel) throws IOException {
            try (var digesting =
                    new DigestOutputStream(OutputStream.nullOutputStream(), MessageDigest.getInstance("SHA-256"))) {
                var unused = Channels.newInputStream(channel).transferTo(digesting);
                return HexFormat.of().formatHex(digesting.getMessageDigest().digest());
            } catch (NoSuchAlgorithmException impossible) {
                throw new IllegalStateException("every Java platform has SHA-256", impossible);
            }
        }
    }

    /**
     * Attributes of a file that change when its bytes do, or when another file takes its place.
     *
     * @param changedAt the time of the last change, which only the system sets
     * @param others device and number, size, and the time that programs may set
     */
    record FileStamp(Instant changedAt, Map<String, Object> others) {
        private static final String CHANGED = "ctime";
        private static final String KEY = "fileKey";
        private static final String ATTRIBUTES = "unix:size,lastModifiedTime," + KEY + "," + CHANGED;

        /** The resolution of the time: two changes within it may have the same time. */
        private static final Duration GRAIN = Duration.ofSeconds(2);

        FileStamp {
            others = Map.copyOf(others);
        }

        /** Reads the stamp of the file that a path leads to; empty if the system has none. */
        static Optional<FileStamp> of(Path file) throws IOException {
            try {
                var attributes = Files.readAttributes(file, ATTRIBUTES);
                return attributes.get(CHANGED) instanceof FileTime changed
                        ? Optional.of(new FileStamp(changed.toInstant(), attributes))
                        : Optional.empty();
            } catch (UnsupportedOperationException | IllegalArgumentException otherSystem) {
                return Optional.empty();
            }
        }

        /** Device and number of the file. */
        Object key() {
            return Objects.requireNonNull(others.get(KEY));
        }

        /** Whether any change after {@code moment} would be visible. */
        boolean isOldAt(Instant moment) {
            return changedAt.plus(GRAIN).isBefore(moment);
        }
    }
}
