package io.mcpbridge.audit.file;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.Objects;
import java.util.Optional;

/**
 * Which file is meant by its path: whoever has one open goes on to write it after it was removed, moved or replaced.
 *
 * @param key the device and the inode
 */
record FileIdentity(Path file, Object key) {

    /** The one that is there now. */
    static FileIdentity of(Path file) throws IOException {
        return new FileIdentity(file, key(attributes(file)));
    }

    /** What is wrong with what lies at the path now. */
    Optional<String> fault() {
        return attributes().isPresent() ? Optional.empty() : Optional.of(words("is gone, or another file"));
    }

    /** The same, where the file must have this size. */
    Optional<String> fault(long size) {
        return fault().or(() -> attributes()
                .filter(found -> found.size() != size)
                .map(found -> words("has %d bytes, and %d were written".formatted(found.size(), size))));
    }

    private String words(String what) {
        return "'%s' %s".formatted(file.getFileName(), what);
    }

    private Optional<BasicFileAttributes> attributes() {
        try {
            return Optional.of(attributes(file)).filter(found -> key(found).equals(key));
        } catch (IOException gone) {
            return Optional.empty();
        }
    }

    private static BasicFileAttributes attributes(Path file) throws IOException {
        return Files.readAttributes(file, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
    }

    private static Object key(BasicFileAttributes attributes) {
        return Objects.requireNonNull(attributes.fileKey(), "the file system tells files apart");
    }
}
