package io.mcpbridge.audit.internal;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.Objects;
import java.util.Optional;

/**
 * The identity of an open file. It detects that the file was removed, moved or replaced, which a write to it does not.
 *
 * @param key the device and the inode
 */
public record FileIdentity(Path file, Object key) {

    /** The file that is at the path now. */
    public static FileIdentity of(Path file) throws IOException {
        return new FileIdentity(file, key(attributes(file)));
    }

    /** The fault of the path: it has no file, or another one; empty if it still has this file. */
    public Optional<String> fault() {
        return attributes().isPresent() ? Optional.empty() : Optional.of(message("is gone, or another file"));
    }

    /** Like {@link #fault()}, but also requires that the file has {@code size} bytes. */
    public Optional<String> fault(long size) {
        return fault().or(() -> attributes()
                .filter(found -> found.size() != size)
                .map(found -> message("has %d bytes, and %d were written".formatted(found.size(), size))));
    }

    private String message(String what) {
        return "'%s' %s".formatted(file.getFileName(), what);
    }

    private Optional<BasicFileAttributes> attributes() {
        try {
            return Optional.of(attributes(file)).filter(found -> key(found).equals(key));
        } catch (IOException e) {
            return Optional.empty();
        }
    }

    private static BasicFileAttributes attributes(Path file) throws IOException {
        return Files.readAttributes(file, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
    }

    private static Object key(BasicFileAttributes attributes) {
        return Objects.requireNonNull(attributes.fileKey(), "the file system has file keys");
    }
}
