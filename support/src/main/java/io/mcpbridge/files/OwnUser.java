package io.mcpbridge.files;

import java.io.IOException;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.UserPrincipal;

/**
 * The file-system user of this process. Root is trusted as well, since root may do everything.
 *
 * <p>Users are compared as the system identifies them, not by name, so a user without a name needs no special case.
 * Immutable.
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

    /**
     * Finds the user of this process: by the owner of a temporary file, or by {@code /proc} if no file can be created.
     */
    public static OwnUser ofThisProcess() throws IOException {
        var users = FileSystems.getDefault().getUserPrincipalLookupService();
        return new OwnUser(find(), users.lookupPrincipalByName(ROOT));
    }

    private static UserPrincipal find() throws IOException {
        Path probe;
        try {
            // A name that the JDK makes needs random numbers, whose first use delays the start.
            var name = "mcp-bridge-%d-%d.user".formatted(ProcessHandle.current().pid(), System.nanoTime());
            probe = Files.createFile(Path.of(System.getProperty("java.io.tmpdir"), name));
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

    /** Whether {@code other} is the user of this process. */
    public boolean is(UserPrincipal other) {
        return other.equals(user);
    }

    public boolean isRoot(UserPrincipal other) {
        return other.equals(root);
    }

    /** Whether the user of this process owns the file; a symbolic link is not followed. */
    public boolean owns(Path file) throws IOException {
        return is(Files.getOwner(file, LinkOption.NOFOLLOW_LINKS));
    }
}
