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
interface Disk {

    /** Opens a file for writing, or makes it with mode 0600; refuses a symbolic link. */
    default OpenFile open(Path file) throws IOException {
        var options = Set.of(StandardOpenOption.CREATE, StandardOpenOption.WRITE, LinkOption.NOFOLLOW_LINKS);
        var ownerOnly = PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"));
        return new Channel(FileChannel.open(file, options, ownerOnly));
    }

    /** Returns when the file names in the folder survive a loss of power. */
    default void force(Path folder) throws IOException {
        try (var names = FileChannel.open(folder, StandardOpenOption.READ)) {
            names.force(true);
        }
    }

    /** The disk of the system. */
    static Disk ofTheSystem() {
        return new Disk() {};
    }

    /** An open file. Each method calls the system once; the caller checks what it did. */
    interface OpenFile extends AutoCloseable {

        /** Writes at a position, maybe only some of the bytes; returns how many. */
        int write(ByteBuffer bytes, long position) throws IOException;

        /** Returns when everything written survives a loss of power. */
        void force() throws IOException;

        /** Cuts the file at {@code size}. */
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

    /** A file that grows at its end by whole groups of bytes. For one thread. */
    final class AppendedFile implements AutoCloseable {
        private final Disk.OpenFile file;
        private long end;

        /** Appends at {@code end}; bytes after it are overwritten. */
        AppendedFile(Disk.OpenFile file, long end) {
            this.file = file;
            this.end = end;
        }

        /** The end of the last group that was written whole. */
        long end() {
            return end;
        }

        /** Writes all bytes. After a failure the end is the old one; {@link #cut} removes the bytes that were written. */
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

        /** Makes {@code newEnd} the end of the file. */
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
