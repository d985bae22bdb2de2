package io.mcpbridge.audit.file;

import io.mcpbridge.failure.ConfigurationException;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFileAttributes;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.nio.file.attribute.UserPrincipal;
import java.util.Set;

/** Makes sure that a folder, and what lies in it, is ours alone to write. */
final class AuditDirectory {
    private static final Set<PosixFilePermission> OURS_ALONE = PosixFilePermissions.fromString("rwx------");
    private static final Path OWN_PROCESS = Path.of("/proc/self");
    private static final int STICKY = 01000;

    private final Path path;
    private final UserPrincipal own;

    private AuditDirectory(Path path, UserPrincipal own) {
        this.path = path;
        this.own = own;
    }

    /**
     * Makes the folder where it is missing, with its missing parents, and checks it and the files in it.
     *
     * @throws ConfigurationException if it is not safe; the message says why, and what would be
     * @throws IOException if it cannot be made or looked at
     */
    static void prepare(Path path) throws IOException {
        create(path);
        var directory = new AuditDirectory(path, ownUser());
        directory.check();
        directory.checkAncestors();
        try (var files = Files.list(path)) {
            for (var file : files.toList()) {
                directory.checkFile(file);
            }
        }
    }

    /** Checks that a file, if it is there, is a plain one of ours that others cannot write. */
    static void checkFileOf(Path file) throws IOException {
        if (Files.exists(file, LinkOption.NOFOLLOW_LINKS)) {
            new AuditDirectory(file, ownUser()).checkFile(file);
        }
    }

    private static UserPrincipal ownUser() throws IOException {
        if (Files.exists(OWN_PROCESS)) {
            return Files.getOwner(OWN_PROCESS);
        }
        var users = OWN_PROCESS.getFileSystem().getUserPrincipalLookupService();
        return users.lookupPrincipalByName(System.getProperty("user.name", ""));
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
        checkOwner(attributes, "it");
    }

    private void checkFile(Path file) throws IOException {
        var attributes = attributes(file);
        var what = "'" + file.getFileName() + "' in it";
        if (attributes.isSymbolicLink()) {
            throw unsafe(what + " is a symbolic link");
        }
        if (!attributes.isRegularFile()) {
            throw unsafe(what + " is not a file");
        }
        checkOwner(attributes, what);
    }

    private void checkOwner(PosixFileAttributes attributes, String what) {
        if (!attributes.owner().equals(own)) {
            throw unsafe("%s belongs to '%s', not to '%s'"
                    .formatted(what, attributes.owner().getName(), own.getName()));
        }
        var permissions = attributes.permissions();
        if (permissions.contains(PosixFilePermission.GROUP_WRITE)
                || permissions.contains(PosixFilePermission.OTHERS_WRITE)) {
            throw unsafe("others may write to %s (%s)".formatted(what, PosixFilePermissions.toString(permissions)));
        }
    }

    private void checkAncestors() throws IOException {
        for (var each = path.toRealPath().getParent(); each != null; each = each.getParent()) {
            var mode = (Integer) Files.getAttribute(each, "unix:mode", LinkOption.NOFOLLOW_LINKS);
            var isOpen = attributes(each).permissions().contains(PosixFilePermission.OTHERS_WRITE);
            if (isOpen && (mode & STICKY) == 0) {
                throw unsafe("everybody may write to '%s' above it, which is not sticky".formatted(each));
            }
        }
    }

    private ConfigurationException unsafe(String why) {
        return ConfigurationException.of(
                "the audit trail cannot be kept in '%s': %s; use a folder of your own with mode 0700"
                        .formatted(path, why));
    }

    private static PosixFileAttributes attributes(Path path) throws IOException {
        return Files.readAttributes(path, PosixFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
    }
}
