package io.mcpbridge.files;

import io.mcpbridge.failure.ConfigurationException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFileAttributeView;
import java.nio.file.attribute.PosixFileAttributes;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Collections;
import java.util.Optional;
import java.util.Set;

/** A regular file that the bridge's user owns and no other user may write to. Used by one thread at a time. */
public final class PrivateFile {
    private static final Set<PosixFilePermission> OURS_ALONE = PosixFilePermissions.fromString("rw-------");
    private static final Set<PosixFilePermission> OF_OTHERS = PosixFilePermissions.fromString("---rwxrwx");
    private static final Set<PosixFilePermission> WRITING = PosixFilePermissions.fromString("----w--w-");

    private static final Set<PosixFilePermission> READING = PosixFilePermissions.fromString("---r--r--");
    private static final Set<PosixFilePermission> PASSING = PosixFilePermissions.fromString("-----x--x");

    private final Path path;
    private final String what;
    private final PosixFileAttributes attributes;

    private PrivateFile(Path path, String what, PosixFileAttributes attributes) {
        this.path = path;
        this.what = what;
        this.attributes = attributes;
    }

    /**
     * Checks an existing file; a symbolic link is not followed.
     *
     * @param what a name for error messages, such as {@code the signing key}
     * @throws ConfigurationException if the file is not safe; the message says why, and what would be safe
     * @throws IOException if the file cannot be examined
     */
    public static PrivateFile check(Path path, String what, OwnUser own) throws IOException {
        var attributes = Files.readAttributes(path, PosixFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
        var file = new PrivateFile(path, what, attributes);
        if (!attributes.isRegularFile()) {
            throw file.unsafe(attributes.isSymbolicLink() ? "it is a symbolic link" : "it is " + kind(attributes));
        }
        violation(attributes, own).ifPresent(why -> {
            throw file.unsafe(why);
        });
        return file;
    }

    /**
     * The rights on a file that users other than its owner can read; empty if they cannot, since its rights or those of
     * a folder above forbid it, or if the system knows no such rights.
     */
    public static Optional<String> readableByOthers(Path path) throws IOException {
        var file = path.toRealPath();
        if (!Files.getFileStore(file).supportsFileAttributeView(PosixFileAttributeView.class)) {
            return Optional.empty();
        }
        for (var above = file.getParent(); above != null; above = above.getParent()) {
            if (Collections.disjoint(Files.getPosixFilePermissions(above), PASSING)) {
                return Optional.empty();
            }
        }
        var permissions = Files.getPosixFilePermissions(file);
        return Collections.disjoint(permissions, READING)
                ? Optional.empty()
                : Optional.of(PosixFilePermissions.toString(permissions));
    }

    private static String kind(PosixFileAttributes attributes) {
        return attributes.isDirectory() ? "a folder" : "no plain file, but a pipe, a socket or a device";
    }

    /** Why other users could write to a file or folder, as a clause; empty if they cannot. */
    static Optional<String> violation(PosixFileAttributes attributes, OwnUser own) {
        if (!own.is(attributes.owner())) {
            return Optional.of("it belongs to '%s', not to '%s'"
                    .formatted(attributes.owner().getName(), own.user().getName()));
        }
        var permissions = attributes.permissions();
        return Collections.disjoint(permissions, WRITING)
                ? Optional.empty()
                : Optional.of("others may write to it (%s)".formatted(PosixFilePermissions.toString(permissions)));
    }

    /**
     * Requires that other users may not read the file either.
     *
     * @throws ConfigurationException if they may
     */
    public PrivateFile requireSecret() {
        if (isShared()) {
            throw unsafe("others may use it (%s)".formatted(rights()));
        }
        return this;
    }

    /** Removes all rights of other users. Returns the previous rights if they were wider. */
    public Optional<String> tighten() throws IOException {
        if (!isShared()) {
            return Optional.empty();
        }
        Files.setPosixFilePermissions(path, OURS_ALONE);
        return Optional.of(rights());
    }

    private boolean isShared() {
        return !Collections.disjoint(attributes.permissions(), OF_OTHERS);
    }

    private String rights() {
        return PosixFilePermissions.toString(attributes.permissions());
    }

    private ConfigurationException unsafe(String why) {
        return ConfigurationException.of("%s, '%s', is not safe: %s; it must be a plain file of yours with mode 0600"
                .formatted(what, path, why));
    }
}
