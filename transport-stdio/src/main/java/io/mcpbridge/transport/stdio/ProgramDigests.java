package io.mcpbridge.transport.stdio;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.DigestOutputStream;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Instant;
import java.util.HexFormat;
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

    private final Map<Path, Known> known = new ConcurrentHashMap<>();

    /**
     * What a file was when it was read.
     *
     * @param digest in lower-case hexadecimal digits
     * @param stamp by which it is known again; empty where the system has none
     */
    record Known(String digest, Optional<FileStamp> stamp) {}

    /** The digest of a file, which is read unless it was before. */
    Known of(Path file, Instant now) throws IOException {
        var stamp = FileStamp.of(file);
        var before = known.get(file);
        if (before != null && stamp.isPresent() && before.stamp().equals(stamp)) {
            return before;
        }
        var read = new Known(digest(file), stamp);
        if (stamp.filter(each -> each.isOldAt(now)).isPresent()) {
            keep(file, read);
        }
        return read;
    }

    private void keep(Path file, Known read) {
        if (known.size() >= MOST) {
            known.clear();
        }
        known.put(file, read);
    }

    private static String digest(Path file) throws IOException {
        try (var digesting =
                new DigestOutputStream(OutputStream.nullOutputStream(), MessageDigest.getInstance("SHA-256"))) {
            Files.copy(file, digesting);
            return HexFormat.of().formatHex(digesting.getMessageDigest().digest());
        } catch (NoSuchAlgorithmException impossible) {
            throw new IllegalStateException("every Java platform has SHA-256", impossible);
        }
    }
}
