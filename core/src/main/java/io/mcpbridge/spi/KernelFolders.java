package io.mcpbridge.spi;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/**
 * The folders in which the kernel shows processes and devices. Whoever hides files gives a child its own of them, so that
 * no path of its limits may lead there, nor hold them.
 */
public final class KernelFolders {
    private static final List<Path> ALL = List.of(Path.of("/proc"), Path.of("/sys"), Path.of("/dev"));

    /** Files in memory that processes share by name; those that are named one by one are files like others. */
    private static final Path SHARED_MEMORY = Path.of("/dev/shm");

    private KernelFolders() {}

    /** Whether the path is in one of them or above it, as it is written or where links in it lead by now. */
    public static boolean showThrough(Path path) {
        return touches(path.toAbsolutePath().normalize()) || touches(followed(path));
    }

    /** Where the path leads; itself if it cannot be followed, as what is not there. */
    static Path followed(Path path) {
        try {
            return path.toRealPath();
        } catch (IOException notThere) {
            return path;
        }
    }

    private static boolean touches(Path path) {
        var isSharedFile = path.startsWith(SHARED_MEMORY) && !path.equals(SHARED_MEMORY);
        return !isSharedFile && ALL.stream().anyMatch(folder -> path.startsWith(folder) || folder.startsWith(path));
    }
}
