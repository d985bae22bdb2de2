package io.mcpbridge.files;

import io.mcpbridge.failure.ConfigurationException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFileAttributes;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Collections;
import java.util.Optional;
import java.util.Set;

/** A file that is what it seems: a plain one of ours to which nobody else may write. For one thread at a time. */
public final class PrivateFile {
    private static final Set<PosixFilePermission> OURS_ALONE = PosixFilePermissions.fromString("rw-------");
    private static final Set<PosixFilePermission> OF_OTHERS = PosixFilePermissions.fromString("---rwxrwx");

    private final Path path;
    private final String what;
    private final PosixFileAttributes attributes;

    private PrivateFile(Path path, String what, PosixFileAttributes attributes) {
        this.path = path;
        this.what = what;
        this.attributes = attributes;
    }

    /**
     * Checks a file that is there; a link in its place is not followed.
     *
     * @param what it is, for refusals: {@code the signing key}, for example
     * @throws ConfigurationException if it is none; the message says why, and what would be
     * @throws IOException if it cannot be looked at
     */
    public static PrivateFile check(Path path, String what, OwnUser own) throws IOException {
        var attributes = Files.readAttributes(path, PosixFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
        var file = new PrivateFile(path, what, attributes);
        if (!attributes.isRegularFile()) {
            throw file.unsafe(attributes.isSymbolicLink() ? "it is a symbolic link" : "it is " + kind(attributes));
        }
        if (!own.is(attributes.owner())) {
            throw file.unsafe("it belongs to '%s', not to '%s'"
                    .formatted(attributes.owner().getName(), own.user().getName()));
        }
        if (isOpen(attributes.permissions())) {
            throw file.unsafe("others may write to it (%s)".formatted(file.rights()));
        }
        return file;
    }

    private static String kind(PosixFileAttributes attributes) {
        return attributes.isDirectory() ? "a folder" : "no plain file, but a pipe, a socket or a device";
    }

    /** Whether others may write. */
    static boolean isOpen(Set<PosixFilePermission> permissions) {
        return permissions.contains(PosixFilePermission.GROUP_WRITE)
                || permissions.contains(PosixFilePermission.OTHERS_WRITE);
    }

    /**
     * Makes sure that others may not read it either.
     *
     * @throws ConfigurationException if they may
     */
    public PrivateFile requireSecret() {
        if (isShared()) {
            throw unsafe("others may use it (%s)".formatted(rights()));
        }
        return this;
    }

    /** Takes all rights from others. Returns those that were there if these were more than ours. */
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
