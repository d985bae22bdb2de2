package io.mcpbridge.files;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.mcpbridge.failure.ConfigurationException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * An exclusive lock of this process: a locked file that contains the process id. The system releases the lock when the
 * process ends.
 *
 * <p>{@link #close} leaves the file, and {@link #delete} does not. A process that takes the lock checks that the path
 * still leads to the file that it has locked, so that two processes never hold two files of the same name.
 */
public final class ProcessLock implements AutoCloseable {

    /**
     * The files that this process has locked. A system lock belongs to the whole process, and closing any descriptor of
     * the file releases it; so the set is static, and no second descriptor is opened.
     */
    private static final Set<Path> HELD = ConcurrentHashMap.newKeySet();

    private static final int LONGEST_PID = 20;

    /** The attempts to lock a file that others delete meanwhile. */
    private static final int MAX_TRIES = 100;

    private final Path file;
    private final FileChannel channel;
    private final Object identity;

    private ProcessLock(Path file, FileChannel channel, Object identity) {
        this.file = file;
        this.channel = channel;
        this.identity = identity;
    }

    /**
     * Takes the lock.
     *
     * @param path the lock file, in a folder that was checked before
     * @param what a name for error messages, such as {@code the lock of the socket}
     * @param taken makes the exception to throw if another process holds the lock; receives its id, or {@code unknown}
     * @throws ConfigurationException if something else is in the place of the file
     */
    public static ProcessLock take(Path path, String what, OwnUser own, Function<String, RuntimeException> taken)
            throws IOException {
        var file = real(path);
        if (!HELD.add(file)) {
            throw taken.apply(Long.toString(ProcessHandle.current().pid()));
        }
        ProcessLock lock = null;
        try {
            for (int tries = 0; lock == null && tries < MAX_TRIES; tries++) {
                lock = tryToTake(file, what, own, taken);
            }
            if (lock == null) {
                throw taken.apply("unknown");
            }
            return lock;
        } finally {
            if (lock == null) {
                HELD.remove(file);
            }
        }
    }

    /** Returns null if another process has deleted the file meanwhile. */
    private static @Nullable ProcessLock tryToTake(
            Path file, String what, OwnUser own, Function<String, RuntimeException> taken) throws IOException {
        FileChannel channel = null;
        ProcessLock lock = null;
        try {
            var identity = create(file, what, own);
            channel = open(file);
            if (!identity.equals(identity(file))) {
                return null;
            }
            if (lock(channel) == null) {
                throw taken.apply(pid(channel));
            }
            if (!identity.equals(identity(file))) {
                return null;
            }
            channel.truncate(0).write(US_ASCII.encode(ProcessHandle.current().pid() + "\n"), 0);
            lock = new ProcessLock(file, channel, identity);
            return lock;
        } catch (NoSuchFileException deleted) {
            return null;
        } finally {
            if (lock == null) {
                closeQuietly(channel);
            }
        }
    }

    /** Returns one path for each file, however its folder was named. */
    private static Path real(Path path) throws IOException {
        var absolute = path.toAbsolutePath();
        var folder = Objects.requireNonNull(absolute.getParent(), "a file has a parent folder");
        return folder.toRealPath().resolve(absolute.getFileName());
    }

    /** Whether the path still leads to the locked file. */
    public boolean isIntact() {
        try {
            return identity(file).equals(identity);
        } catch (IOException gone) {
            return false;
        }
    }

    /** Releases the lock; the file stays. */
    @Override
    public void close() {
        closeQuietly(channel);
        HELD.remove(file);
    }

    /** Deletes the file, if it is still there, and releases the lock. */
    public void delete() {
        try {
            if (isIntact()) {
                Files.deleteIfExists(file);
            }
        } catch (IOException leftBehind) {
            // The next process takes the file that is there.
        } finally {
            close();
        }
    }

    /** Creates the file unless it is there; returns its identity. */
    private static Object create(Path file, String what, OwnUser own) throws IOException {
        if (Files.exists(file, LinkOption.NOFOLLOW_LINKS)) {
            PrivateFile.check(file, what, own);
        } else {
            try {
                Files.createFile(
                        file, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
            } catch (FileAlreadyExistsException another) {
                PrivateFile.check(file, what, own);
            }
        }
        return identity(file);
    }

    private static FileChannel open(Path file) throws IOException {
        return FileChannel.open(
                file, Set.of(StandardOpenOption.READ, StandardOpenOption.WRITE, LinkOption.NOFOLLOW_LINKS));
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

    private static Object identity(Path file) throws IOException {
        var attributes = Files.readAttributes(file, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
        return Objects.requireNonNull(attributes.fileKey(), "the file system identifies files");
    }

    private static void closeQuietly(@Nullable FileChannel channel) {
        try {
            if (channel != null) {
                channel.close();
            }
        } catch (IOException nothingMoreToDo) {
            // The system releases the lock when the process ends.
        }
    }
}
