package io.mcpbridge.transport.unix;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.mcpbridge.failure.ConfigurationException;
import io.mcpbridge.failure.TransportException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * The claim to a socket: a locked file beside it that holds our process id. The system frees it when we die.
 *
 * <p>The file is never deleted, or two processes might hold locks on two files of one name.
 */
final class SocketLock {

    /**
     * The files that this process has locked. A lock of the system belongs to the whole process, and closing any
     * descriptor of the file loses it; so that we do not open a second one has to be known in the whole process.
     */
    private static final Set<Path> HELD = ConcurrentHashMap.newKeySet();

    private static final int LONGEST_PID = 20;

    private final Path file;
    private final FileChannel channel;
    private final Object identity;

    private SocketLock(Path file, FileChannel channel, Object identity) {
        this.file = file;
        this.channel = channel;
        this.identity = identity;
    }

    /**
     * Claims a socket.
     *
     * @param folder of the socket, checked before
     * @throws TransportException if a bridge is running there
     * @throws ConfigurationException if something else is in the place of the file
     */
    static SocketLock take(Path folder, Path socket, PeerCredentials credentials) throws IOException {
        var file = folder.toRealPath().resolve(name(socket));
        if (!HELD.add(file)) {
            throw running(socket, Long.toString(ProcessHandle.current().pid()));
        }
        FileChannel channel = null;
        SocketLock taken = null;
        try {
            channel = open(file, credentials);
            if (lock(channel) == null) {
                throw running(socket, pid(channel));
            }
            channel.truncate(0).write(US_ASCII.encode(ProcessHandle.current().pid() + "\n"), 0);
            taken = new SocketLock(file, channel, identity(file));
            return taken;
        } finally {
            if (taken == null) {
                release(file, channel);
            }
        }
    }

    /** Whether the file is still the one that is locked. */
    boolean isIntact() {
        try {
            return identity(file).equals(identity);
        } catch (IOException gone) {
            return false;
        }
    }

    void release() {
        release(file, channel);
    }

    private static String name(Path socket) {
        var name = String.valueOf(socket.getFileName());
        return (name.endsWith(".sock") ? name.substring(0, name.length() - 5) : name) + ".lock";
    }

    private static FileChannel open(Path file, PeerCredentials credentials) throws IOException {
        if (Files.isSymbolicLink(file)) {
            throw ConfigurationException.of(
                    "the lock of the socket, '%s', is a symbolic link; remove it".formatted(file));
        }
        var options = Set.of(
                StandardOpenOption.CREATE,
                StandardOpenOption.READ,
                StandardOpenOption.WRITE,
                LinkOption.NOFOLLOW_LINKS);
        var ownerOnly = PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"));
        var channel = FileChannel.open(file, options, ownerOnly);
        if (!credentials.owns(file)) {
            channel.close();
            throw ConfigurationException.of("the lock of the socket, '%s', belongs to '%s', not to '%s'; remove it"
                    .formatted(file, Files.getOwner(file), credentials.own()));
        }
        return channel;
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

    private static TransportException running(Path socket, String pid) {
        return TransportException.initFailed(
                "Cannot listen on '%s': a bridge is already running, pid %s. Stop it, or choose another path."
                        .formatted(socket, pid));
    }

    private static Object identity(Path file) throws IOException {
        var attributes = Files.readAttributes(file, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
        return Objects.requireNonNull(attributes.fileKey(), "the file system tells files apart");
    }

    private static void release(Path file, @Nullable FileChannel channel) {
        if (channel != null) {
            Quietly.close(channel);
        }
        HELD.remove(file);
    }
}
