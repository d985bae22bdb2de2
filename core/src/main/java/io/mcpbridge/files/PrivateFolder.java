package io.mcpbridge.files;

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
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A folder to which nobody else may write, and in whose place nobody else may put another: those above it are root's or ours,
 * and neither others nor a group may write to them, but for sticky ones and for a group that is the owner's own. For one
 * thread at a time.
 */
public final class PrivateFolder {
    private static final Set<PosixFilePermission> OURS_ALONE = PosixFilePermissions.fromString("rwx------");

    private final Path path;
    private final String what;
    private final OwnUser own;
    private final AncestorRule ancestors;

    private PrivateFolder(Path path, String what, OwnUser own) {
        this.path = path;
        this.what = what;
        this.own = own;
        this.ancestors = new AncestorRule(own);
    }

    /**
     * The folder at {@code path}, which nothing is done to yet.
     *
     * @param what it is, for refusals: {@code the folder of the socket}, for example
     */
    public static PrivateFolder of(Path path, String what, OwnUser own) {
        return new PrivateFolder(path, what, own);
    }

    /**
     * Makes the folder where it is missing, with its missing parents, and checks it. Nothing is made in an unsafe place.
     *
     * @throws ConfigurationException if it is not safe; the message says why, and what would be
     * @throws IOException if it cannot be made or looked at
     */
    public void prepare() throws IOException {
        check();
        if (create(path)) {
            check();
        }
    }

    /** The same; a folder of root's will do too in which everybody may write and nobody may touch what others put there. */
    public void prepareOrShare() throws IOException {
        checkOrShare();
        if (create(path)) {
            checkOrShare();
        }
    }

    /** Checks the folder, or the place where it would be made, as {@link #prepare} does, and makes nothing. */
    public void check() throws IOException {
        if (isThere()) {
            checkIsFolder();
            checkOwner();
        }
        checkAncestors();
    }

    /** The same as {@link #prepareOrShare} does it. */
    public void checkOrShare() throws IOException {
        if (isThere()) {
            checkIsFolder();
            if (!ancestors.isRootsAndSticky(path, attributes(path))) {
                checkOwner();
            }
        }
        checkAncestors();
    }

    private boolean isThere() {
        return Files.exists(path, LinkOption.NOFOLLOW_LINKS);
    }

    /** Takes the right to look into the folder from others. Returns the rights that were there if these were more than ours. */
    public Optional<String> tighten() throws IOException {
        var permissions = attributes(path).permissions();
        if (OURS_ALONE.containsAll(permissions)) {
            return Optional.empty();
        }
        Files.setPosixFilePermissions(path, OURS_ALONE);
        return Optional.of(PosixFilePermissions.toString(permissions));
    }

    /** Whether it was missing. */
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
            // Whoever made it, the check that follows tells whether it will do.
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
        var attributes = attributes(path);
        if (!own.is(attributes.owner())) {
            throw unsafe("it belongs to '%s', not to '%s'"
                    .formatted(attributes.owner().getName(), own.user().getName()));
        }
        if (PrivateFile.isOpen(attributes.permissions())) {
            throw unsafe(
                    "others may write to it (%s)".formatted(PosixFilePermissions.toString(attributes.permissions())));
        }
    }

    /** Checks those above it alone: whoever could put another in its place could do so with a file there, too. */
    public void checkAncestors() throws IOException {
        for (var each = lowestAncestor(); each != null; each = each.getParent()) {
            var breach = ancestors.breach(each, attributes(each));
            if (breach.isPresent()) {
                throw unsafe(breach.get());
            }
        }
    }

    /** The folder in which it is, or in which it, or what it would be in, would be made. */
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
            throw new NoSuchFileException(path.toString(), null, "it was removed meanwhile");
        }
    }
}
