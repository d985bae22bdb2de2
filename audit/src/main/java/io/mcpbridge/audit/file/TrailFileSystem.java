package io.mcpbridge.audit.file;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Set;

/** The file system of a trail; tests replace it to let operations fail. */
interface TrailFileSystem {

    /** Opens a file for writing and creates it with mode 0600 if it is missing; rejects a symbolic link. */
    default OpenFile open(Path file) throws IOException {
        var options = Set.of(StandardOpenOption.CREATE, StandardOpenOption.WRITE, LinkOption.NOFOLLOW_LINKS);
        var ownerOnly = PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"));
        return new Channel(FileChannel.open(file, options, ownerOnly));
    }

    /** Syncs the folder: its file names survive a loss of power when this returns. */
    default void force(Path folder) throws IOException {
        try (var names = FileChannel.open(folder, StandardOpenOption.READ)) {
            names.force(true);
        }
    }

    /** The file system of the operating system. */
    static TrailFileSystem ofTheSystem() {
        return new TrailFileSystem() {};
    }

    /** An open file. Each method makes one system call; the caller checks its result. */
    interface OpenFile extends AutoCloseable {

        /** Writes some or all of the bytes at a position; returns how many. */
        int write(ByteBuffer bytes, long position) throws IOException;

        /** Syncs the file: all bytes written survive a loss of power when this returns. */
        void force() throws IOException;

        /** Truncates the file to {@code size} bytes. */
        void truncate(long size) throws IOException;

        @Override
        void close() throws IOException;
    }

    /** An open file of the operating system. */
    record Channel(FileChannel channel) implements OpenFile {

        @Override
        public int write(ByteBuffer bytes, long position) throws IOException {
            return channel.write(bytes, position);
        }

        @Override
        public void force() throws IOException {
            channel.force(false);
        }

        @Override
        public void truncate(long size) throws IOException {
            channel.truncate(size);
        }

        @Override
        public void close() throws IOException {
            channel.close();
        }
    }

    /** A file to which groups of bytes are appended, each completely or not at all. For one thread. */
    final class AppendedFile implements AutoCloseable {
        private final TrailFileSystem.OpenFile file;
        private long end;

        /** Appends at the position {@code end} and overwrites the bytes after it. */
        AppendedFile(TrailFileSystem.OpenFile file, long end) {
            this.file = file;
            this.end = end;
        }

        /** The position after the last complete group. */
        long end() {
            return end;
        }

        /**
         * Writes all bytes. After a failure {@link #end} is unchanged, and {@link #cut} removes the bytes that were
         * written.
         */
        void append(ByteBuffer bytes) throws IOException {
            var position = end;
            while (bytes.hasRemaining()) {
                var taken = file.write(bytes, position);
                if (taken <= 0) {
                    throw new IOException("the system took none of " + bytes.remaining() + " bytes");
                }
                position += taken;
            }
            end = position;
        }

        void force() throws IOException {
            file.force();
        }

        /** Truncates the file to {@code newEnd} bytes. */
        void cut(long newEnd) throws IOException {
            end = newEnd;
            file.truncate(newEnd);
        }

        @Override
        public void close() throws IOException {
            file.close();
        }
    }
}
