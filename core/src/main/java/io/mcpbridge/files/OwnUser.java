package io.mcpbridge.files;

import java.io.IOException;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.UserPrincipal;

/**
 * The user that this process is for the file system, beside root, who can do everything anyway.
 *
 * <p>Users are compared as the system knows them, not by name, so one without a name is no special case. Immutable.
 */
public final class OwnUser {
    private static final Path OWN_PROCESS = Path.of("/proc/self");
    private static final String ROOT = "root";

    private final UserPrincipal user;
    private final UserPrincipal root;

    private OwnUser(UserPrincipal user, UserPrincipal root) {
        this.user = user;
        this.root = root;
    }

    /** Finds out who we are: surely by a file that we make, and by what the system says of us where none can be made. */
    public static OwnUser ofThisProcess() throws IOException {
        var users = FileSystems.getDefault().getUserPrincipalLookupService();
        return new OwnUser(find(), users.lookupPrincipalByName(ROOT));
    }

    private static UserPrincipal find() throws IOException {
        Path probe;
        try {
            probe = Files.createTempFile("mcp-bridge", ".user");
        } catch (IOException noPlaceForIt) {
            return Files.getOwner(OWN_PROCESS);
        }
        try {
            return Files.getOwner(probe);
        } finally {
            Files.deleteIfExists(probe);
        }
    }

    public UserPrincipal user() {
        return user;
    }

    /** Whether it is this user. */
    public boolean is(UserPrincipal other) {
        return other.equals(user);
    }

    public boolean isRoot(UserPrincipal other) {
        return other.equals(root);
    }

    /** Whether the file itself, not what a link leads to, is ours. */
    public boolean owns(Path file) throws IOException {
        return is(Files.getOwner(file, LinkOption.NOFOLLOW_LINKS));
    }
}
