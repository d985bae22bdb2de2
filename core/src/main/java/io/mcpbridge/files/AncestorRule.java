package io.mcpbridge.files;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFileAttributes;
import java.nio.file.attribute.PosixFilePermission;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * Whether somebody else could put another folder in the place of one below this one: its owner, a group that may write to it
 * or everybody, unless it is sticky, so that nobody may touch what others put there.
 *
 * <p>A group that is named like the owner passes: it is the owner's own, and systems that make such groups let it write to all
 * that the owner makes. Whoever adds others to it means them to be the owner. Any other group is refused, also where the
 * folder is root's: who is in it, now or tomorrow, cannot be told from here. Within a user namespace a folder may belong to a
 * user who is not there; it is taken for root's, who is that user most of the time, and whom nobody inside can become.
 * Immutable.
 */
final class AncestorRule {
    private static final int STICKY = 01000;
    private static final int MOST = 256;
    private static final Path USERS = Path.of("/proc/self/uid_map");
    private static final Path NOBODY = Path.of("/proc/sys/kernel/overflowuid");

    /** That of the system itself. */
    private static final Pattern ALL_USERS = Pattern.compile("\\s*0\\s+0\\s+4294967295\\s*");

    private final OwnUser own;

    AncestorRule(OwnUser own) {
        this.own = own;
    }

    /** Why a folder breaks it, in a sentence; empty if it does not. */
    Optional<String> breach(Path folder, PosixFileAttributes attributes) throws IOException {
        var isRoots = isRoots(folder, attributes);
        if (!isRoots && !own.is(attributes.owner())) {
            return Optional.of("'%s' above it belongs to '%s', who may put another in its place"
                    .formatted(folder, attributes.owner().getName()));
        }
        var isSticky = isSticky(folder);
        if (attributes.permissions().contains(PosixFilePermission.OTHERS_WRITE) && !(isRoots && isSticky)) {
            return Optional.of(
                    "everybody may write to '%s' above it, which is neither root's nor sticky".formatted(folder));
        }
        var isShared = attributes.permissions().contains(PosixFilePermission.GROUP_WRITE) && !isSticky;
        return isShared && !hasItsOwnersGroup(attributes)
                ? Optional.of("the group '%s' may write to '%s' above it, which is not sticky"
                        .formatted(attributes.group().getName(), folder))
                : Optional.empty();
    }

    boolean isRootsAndSticky(Path folder, PosixFileAttributes attributes) throws IOException {
        return isRoots(folder, attributes) && isSticky(folder);
    }

    private boolean isRoots(Path folder, PosixFileAttributes attributes) throws IOException {
        return own.isRoot(attributes.owner()) || (!own.is(attributes.owner()) && isOfNobodyHere(folder));
    }

    private static boolean isSticky(Path folder) throws IOException {
        var mode = (Integer) Files.getAttribute(folder, "unix:mode", LinkOption.NOFOLLOW_LINKS);
        return (mode & STICKY) != 0;
    }

    private static boolean hasItsOwnersGroup(PosixFileAttributes attributes) {
        return attributes.group().getName().equals(attributes.owner().getName());
    }

    private static boolean isOfNobodyHere(Path folder) throws IOException {
        var owner = (Integer) Files.getAttribute(folder, "unix:uid", LinkOption.NOFOLLOW_LINKS);
        return !ALL_USERS.matcher(text(USERS, "0 0 4294967295")).matches()
                && Integer.toUnsignedString(owner).equals(text(NOBODY, "").strip());
    }

    private static String text(Path file, String otherwise) {
        // At once, since the system gives the rest of such a file to nobody who begins with a byte.
        try (var in = Files.newInputStream(file)) {
            return new String(in.readNBytes(MOST), StandardCharsets.US_ASCII);
        } catch (IOException noLinux) {
            return otherwise;
        }
    }
}
