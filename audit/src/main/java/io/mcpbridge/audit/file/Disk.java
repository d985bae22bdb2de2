package io.mcpbridge.audit.file;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Set;

/** Where the files of a trail are. The seam at which tests let it fail. */
interface Disk {

    /** Opens a file for writing, for us alone, and makes it where it is missing; a symbolic link is refused. */
    SegmentFile open(Path file) throws IOException;

    /** Returns when the names in the folder survive the loss of power. */
    void force(Path folder) throws IOException;

    /** The disk of the system. */
    static Disk ofTheSystem() {
        return new OfTheSystem();
    }

    /** Writes through channels. */
    final class OfTheSystem implements Disk {

        @Override
        public SegmentFile open(Path file) throws IOException {
            var options = Set.of(StandardOpenOption.CREATE, StandardOpenOption.WRITE, LinkOption.NOFOLLOW_LINKS);
            var ownerOnly = PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"));
            return new Channel(FileChannel.open(file, options, ownerOnly));
        }

        @Override
        public void force(Path folder) throws IOException {
            try (var names = FileChannel.open(folder, StandardOpenOption.READ)) {
                names.force(true);
            }
        }
    }

    /** A file of the system. */
    record Channel(FileChannel channel) implements SegmentFile {

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
}
