package io.mcpbridge.transport.unix;

import io.mcpbridge.failure.ConfigurationException;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFileAttributes;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Set;

/**
 * The folder of a socket, which is its real fence: nobody else may write to it, and nobody may put another in
 * its place.
 */
final class SocketDirectory {
    private static final Set<PosixFilePermission> OURS_ALONE = PosixFilePermissions.fromString("rwx------");
    private static final int STICKY = 01000;

    private final Path path;
    private final PeerCredentials credentials;

    private SocketDirectory(Path path, PeerCredentials credentials) {
        this.path = path;
        this.credentials = credentials;
    }

    /**
     * Makes the folder where it is missing, with its missing parents, and checks it.
     *
     * @throws ConfigurationException if it is not safe; the message says why, and what would be
     * @throws IOException if it cannot be made or looked at
     */
    static void prepare(Path path, PeerCredentials credentials) throws IOException {
        var directory = new SocketDirectory(path, credentials);
        create(path);
        directory.check();
        directory.checkAncestors();
    }

    private static void create(Path path) throws IOException {
        if (Files.exists(path, LinkOption.NOFOLLOW_LINKS)) {
            return;
        }
        var parent = path.getParent();
        if (parent != null && !Files.exists(parent)) {
            create(parent);
        }
        try {
            Files.createDirectory(path, PosixFilePermissions.asFileAttribute(OURS_ALONE));
        } catch (FileAlreadyExistsException madeMeanwhile) {
            // Whoever made it, the check that follows tells whether it will do.
        }
    }

    private void check() throws IOException {
        var attributes = attributes(path);
        if (!attributes.isDirectory()) {
            throw unsafe(attributes.isSymbolicLink() ? "it is a symbolic link" : "it is not a folder");
        }
        if (isRootsAndSticky(path, attributes)) {
            return;
        }
        if (!attributes.owner().equals(credentials.own())) {
            throw unsafe("it belongs to '%s', not to '%s'"
                    .formatted(attributes.owner().getName(), credentials.own().getName()));
        }
        if (isOpen(attributes, PosixFilePermission.GROUP_WRITE)
                || isOpen(attributes, PosixFilePermission.OTHERS_WRITE)) {
            throw unsafe(
                    "others may write to it (%s)".formatted(PosixFilePermissions.toString(attributes.permissions())));
        }
    }

    private void checkAncestors() throws IOException {
        for (var each = path.toRealPath().getParent(); each != null; each = each.getParent()) {
            var attributes = attributes(each);
            if (isOpen(attributes, PosixFilePermission.OTHERS_WRITE) && !isRootsAndSticky(each, attributes)) {
                throw unsafe(
                        "everybody may write to '%s' above it, which is neither root's nor sticky".formatted(each));
            }
        }
    }

    private boolean isRootsAndSticky(Path each, PosixFileAttributes attributes) throws IOException {
        var mode = (Integer) Files.getAttribute(each, "unix:mode", LinkOption.NOFOLLOW_LINKS);
        return credentials.isRoot(attributes.owner()) && (mode & STICKY) != 0;
    }

    private ConfigurationException unsafe(String why) {
        return ConfigurationException.of(
                "the folder of the socket, '%s', is not safe: %s; use a folder of your own with mode 0700"
                        .formatted(path, why));
    }

    private static boolean isOpen(PosixFileAttributes attributes, PosixFilePermission permission) {
        return attributes.permissions().contains(permission);
    }

    private static PosixFileAttributes attributes(Path path) throws IOException {
        try {
            return Files.readAttributes(path, PosixFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
        } catch (NoSuchFileException gone) {
            throw new NoSuchFileException(path.toString(), null, "it was removed meanwhile");
        }
    }
}
