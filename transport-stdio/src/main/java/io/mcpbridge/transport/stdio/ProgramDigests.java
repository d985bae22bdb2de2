package io.mcpbridge.transport.stdio;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The SHA-256 of programs, each read once for as long as the system says that the file is what it was. Lives with the
 * provider; any thread may use it.
 */
final class ProgramDigests {
    /** More than anybody has programs. */
    private static final int MOST = 1_000;

    /** How often a file is read that another one takes the place of meanwhile. */
    private static final int ATTEMPTS = 3;

    private final Map<Path, Known> known = new ConcurrentHashMap<>();
    private final FileReading reading;

    ProgramDigests() {
        this(DigestedFile::read);
    }

    /** @param reading how the file that a path leads to is read */
    ProgramDigests(FileReading reading) {
        this.reading = reading;
    }

    /** Reads the file that a path leads to at this moment. */
    @FunctionalInterface
    interface FileReading {
        DigestedFile read(Path file) throws IOException;
    }

    /**
     * What a file was when it was read.
     *
     * @param digest in lower-case hexadecimal digits
     * @param stamp by which it is known again; empty where the system has none
     * @param showsChanges whether whatever becomes of the file shows in its stamp
     */
    record Known(String digest, Optional<FileStamp> stamp, boolean showsChanges) {}

    /** The digest of a file, which is read unless it was before. */
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

    /** Whether a path still leads to the file that was read; one whose stamp might not show that is read again. */
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
        throw new IOException("another file took its place each time it was read; look at who changes it");
    }

    /** Whether what was read is the file that has the stamp, as far as the system tells. */
    private static boolean isOf(DigestedFile read, Optional<FileStamp> stamp) {
        return read.key().isEmpty() || stamp.map(FileStamp::key).equals(read.key());
    }

    private void keep(Path file, Known read) {
        if (known.size() >= MOST) {
            known.clear();
        }
        known.put(file, read);
    }
}
