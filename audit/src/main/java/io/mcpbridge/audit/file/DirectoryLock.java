package io.mcpbridge.audit.file;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.mcpbridge.failure.ConfigurationException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** The claim to a folder: a locked file in it that holds our process id. The system frees it when we die. */
final class DirectoryLock implements AutoCloseable {
    private static final String NAME = "lock";
    private static final int LONGEST_PID = 20;

    /** The folders that this process has claimed; a lock of the system does not keep a process from itself. */
    private static final Set<Path> HELD = ConcurrentHashMap.newKeySet();

    private final Path folder;
    private final FileChannel channel;

    private DirectoryLock(Path folder, FileChannel channel) {
        this.folder = folder;
        this.channel = channel;
    }

    /**
     * Claims a folder.
     *
     * @throws ConfigurationException if another writer has it
     */
    static DirectoryLock take(Path path) throws IOException {
        var folder = path.toRealPath();
        if (!HELD.add(folder)) {
            throw taken(path, Long.toString(ProcessHandle.current().pid()));
        }
        DirectoryLock lock = null;
        FileChannel channel = null;
        try {
            channel = open(folder.resolve(NAME));
            if (lock(channel) == null) {
                throw taken(path, pid(channel));
            }
            var pid = US_ASCII.encode(ProcessHandle.current().pid() + "\n");
            channel.truncate(0).write(pid, 0);
            lock = new DirectoryLock(folder, channel);
            return lock;
        } finally {
            if (lock == null) {
                release(folder, channel);
            }
        }
    }

    private static FileChannel open(Path file) throws IOException {
        return FileChannel.open(
                file,
                Set.of(
                        StandardOpenOption.CREATE,
                        StandardOpenOption.READ,
                        StandardOpenOption.WRITE,
                        LinkOption.NOFOLLOW_LINKS),
                PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
    }

    private static @Nullable FileLock lock(FileChannel channel) throws IOException {
        try {
            return channel.tryLock();
        } catch (OverlappingFileLockException heldByAnotherClassLoader) {
            return null;
        }
    }

    private static String pid(FileChannel channel) throws IOException {
        var text = ByteBuffer.allocate(LONGEST_PID);
        channel.read(text, 0);
        var pid = US_ASCII.decode(text.flip()).toString().trim();
        return pid.isEmpty() ? "unknown" : pid;
    }

    private static ConfigurationException taken(Path folder, String pid) {
        return ConfigurationException.of(
                "the audit trail in '%s' is being written by process %s; stop it, or choose another 'path'"
                        .formatted(folder, pid));
    }

    private static void release(Path folder, @Nullable FileChannel channel) throws IOException {
        try {
            if (channel != null) {
                channel.close();
            }
        } finally {
            HELD.remove(folder);
        }
    }

    @Override
    public void close() throws IOException {
        release(folder, channel);
    }
}
