package io.mcpbridge.files;

import io.mcpbridge.failure.ConfigurationException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFileAttributes;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A folder that only the bridge's user may write to and that no other user can replace. Root or the bridge's user owns
 * its parent folders, and only their owner may write to them, except for sticky folders and a group that is the owner's
 * own. Used by one thread at a time.
 */
public final class PrivateFolder {
    private static final Set<PosixFilePermission> OURS_ALONE = PosixFilePermissions.fromString("rwx------");

    private final Path path;
    private final String what;
    private final OwnUser own;
    private final boolean mayBeShared;
    private final ParentDirectoryCheck parents;

    private PrivateFolder(Path path, String what, OwnUser own, boolean mayBeShared) {
        this.path = path;
        this.what = what;
        this.own = own;
        this.mayBeShared = mayBeShared;
        this.parents = new ParentDirectoryCheck(own);
    }

    /**
     * Returns the folder at {@code path}, without accessing it.
     *
     * @param what a name for error messages, such as {@code the folder of the socket}
     */
    public static PrivateFolder of(Path path, String what, OwnUser own) {
        return new PrivateFolder(path, what, own, false);
    }

    /** Like {@link #of}, but also allows a sticky folder of root that every user may write to, such as {@code /tmp}. */
    public static PrivateFolder orShared(Path path, String what, OwnUser own) {
        return new PrivateFolder(path, what, own, true);
    }

    /**
     * Creates the folder and its parents where they are missing, and checks it. Nothing is created in an unsafe place.
     *
     * @throws ConfigurationException if it is not safe; the message says why, and what would be safe
     * @throws IOException if it cannot be created or examined
     */
    public void prepare() throws IOException {
        check();
        if (create(path)) {
            check();
        }
    }

    /** Checks the folder, or the place where {@link #prepare} would create it, and creates nothing. */
    public void check() throws IOException {
        if (isThere()) {
            checkIsFolder();
            if (!mayBeShared || !parents.isRootsAndSticky(path, attributes(path))) {
                checkOwner();
            }
        }
        checkAncestors();
    }

    private boolean isThere() {
        return Files.exists(path, LinkOption.NOFOLLOW_LINKS);
    }

    /** Removes all rights of other users. Returns the previous rights if they were wider. */
    public Optional<String> tighten() throws IOException {
        var permissions = attributes(path).permissions();
        if (OURS_ALONE.containsAll(permissions)) {
            return Optional.empty();
        }
        Files.setPosixFilePermissions(path, OURS_ALONE);
        return Optional.of(PosixFilePermissions.toString(permissions));
    }

    /** Returns whether the folder was missing. */
    private static boolean create(Path path) throws IOException {
        if (Files.exists(path, LinkOption.NOFOLLOW_LINKS)) {
            return false;
        }
        var parent = path.getParent();
        if (parent != null && !Files.exists(parent)) {
            var unused = create(parent);
        }
        try {
            Files.createDirectory(path, PosixFilePermissions.asFileAttribute(OURS_ALONE));
        } catch (FileAlreadyExistsException madeMeanwhile) {
            // The check that follows decides whether the folder of the other process is safe.
        }
        return true;
    }

    private void checkIsFolder() throws IOException {
        var attributes = attributes(path);
        if (!attributes.isDirectory()) {
            throw unsafe(attributes.isSymbolicLink() ? "it is a symbolic link" : "it is not a folder");
        }
    }

    private void checkOwner() throws IOException {
        PrivateFile.violation(attributes(path), own).ifPresent(why -> {
            throw unsafe(why);
        });
    }

    /** Checks the parent folders alone: a user who could replace the folder could also replace a file there. */
    public void checkAncestors() throws IOException {
        for (var each = lowestAncestor(); each != null; each = each.getParent()) {
            var violation = parents.violation(each, attributes(each));
            if (violation.isPresent()) {
                throw unsafe(violation.get());
            }
        }
    }

    /** The nearest parent folder that exists. */
    private @Nullable Path lowestAncestor() throws IOException {
        if (isThere()) {
            return path.toRealPath().getParent();
        }
        var each = path.toAbsolutePath().getParent();
        while (each != null && !Files.exists(each)) {
            each = each.getParent();
        }
        return each == null ? null : each.toRealPath();
    }

    private ConfigurationException unsafe(String why) {
        return ConfigurationException.of(
                "%s, '%s', is not safe: %s; use a folder of your own with mode 0700, below folders to which only you and root may write, such as /var/lib or your home"
                        .formatted(what, path, why));
    }

    private static PosixFileAttributes attributes(Path path) throws IOException {
        try {
            return Files.readAttributes(path, PosixFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
        } catch (NoSuchFileException gone) {
            throw new NoSuchFileException(path.toString(), null, "it was removed during the check");
        }
    }

    /**
     * Checks whether another user could replace a folder below this one: its owner, a group that may write to it, or
     * everyone, unless it is sticky.
     *
     * <p>A group with the name of the owner is accepted: systems that create such groups let them write to all files of
     * the owner. Every other group is rejected, even if root owns the folder, since its members are not known. Inside a
     * user namespace a folder may belong to a user that is not mapped. It counts as root's: that user usually is root,
     * and no process inside the namespace can become that user. Immutable.
     */
    private record ParentDirectoryCheck(OwnUser own) {
        private static final int STICKY = 01000;
        private static final int MAX_BYTES = 256;
        private static final Path UID_MAP = Path.of("/proc/self/uid_map");
        private static final Path OVERFLOW_UID = Path.of("/proc/sys/kernel/overflowuid");

        /** The map of the initial namespace, in which every user is mapped. */
        private static final Pattern ALL_USERS = Pattern.compile("\\s*0\\s+0\\s+4294967295\\s*");

        /** Why the folder is not safe, as a clause; empty if it is safe. */
        Optional<String> violation(Path folder, PosixFileAttributes attributes) throws IOException {
            var isRoots = isOwnedByRoot(folder, attributes);
            if (!isRoots && !own.is(attributes.owner())) {
                return Optional.of("its parent folder '%s' belongs to '%s', who may replace it"
                        .formatted(folder, attributes.owner().getName()));
            }
            var isSticky = isSticky(folder);
            if (attributes.permissions().contains(PosixFilePermission.OTHERS_WRITE) && !(isRoots && isSticky)) {
                return Optional.of("every user may write to its parent folder '%s', which is not both root's and sticky"
                        .formatted(folder));
            }
            var isShared = attributes.permissions().contains(PosixFilePermission.GROUP_WRITE) && !isSticky;
            return isShared && !hasOwnersGroup(attributes)
                    ? Optional.of("the group '%s' may write to its parent folder '%s', which is not sticky"
                            .formatted(attributes.group().getName(), folder))
                    : Optional.empty();
        }

        boolean isRootsAndSticky(Path folder, PosixFileAttributes attributes) throws IOException {
            return isOwnedByRoot(folder, attributes) && isSticky(folder);
        }

        private boolean isOwnedByRoot(Path folder, PosixFileAttributes attributes) throws IOException {
            return own.isRoot(attributes.owner()) || (!own.is(attributes.owner()) && isOwnedByUnmappedUser(folder));
        }

        private static boolean isSticky(Path folder) throws IOException {
            var mode = (Integer) Files.getAttribute(folder, "unix:mode", LinkOption.NOFOLLOW_LINKS);
            return (mode & STICKY) != 0;
        }

        private static boolean hasOwnersGroup(PosixFileAttributes attributes) {
            return attributes.group().getName().equals(attributes.owner().getName());
        }

        private static boolean isOwnedByUnmappedUser(Path folder) throws IOException {
            var owner = (Integer) Files.getAttribute(folder, "unix:uid", LinkOption.NOFOLLOW_LINKS);
            return !ALL_USERS.matcher(text(UID_MAP, "0 0 4294967295")).matches()
                    && Integer.toUnsignedString(owner)
                            .equals(text(OVERFLOW_UID, "").strip());
        }

        private static String text(Path file, String otherwise) {
            // Read in one call: the kernel returns the rest of such a file only to the first read.
            try (var in = Files.newInputStream(file)) {
                return new String(in.readNBytes(MAX_BYTES), StandardCharsets.US_ASCII);
            } catch (IOException notLinux) {
                return otherwise;
            }
        }
    }
}
