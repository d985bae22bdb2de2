package io.mcpbridge.audit.file;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/** Keeps aside what is cut from a segment, in {@code <segment>.torn}, for whoever wants to know what it was. */
final class TornRest {
    private static final int PIECE = 1 << 16;

    private TornRest() {}

    /** Copies what stands in the file from {@code begin} on. */
    static void keep(Path file, long begin, Disk disk) throws IOException {
        try (var from = FileChannel.open(file, StandardOpenOption.READ, LinkOption.NOFOLLOW_LINKS);
                var to = new AppendedFile(disk.open(unusedName(file)), 0)) {
            var piece = ByteBuffer.allocate(PIECE);
            var position = begin;
            for (var count = from.read(piece, position); count > 0; count = from.read(piece.clear(), position)) {
                to.append(piece.flip());
                position += count;
            }
            to.force();
        }
    }

    /** {@code <segment>.torn}, or with a number where there are such already. */
    static Path unusedName(Path file) {
        var name = file.getFileName() + ".torn";
        var unused = file.resolveSibling(name);
        for (int i = 2; Files.exists(unused, LinkOption.NOFOLLOW_LINKS); i++) {
            unused = file.resolveSibling(name + "-" + i);
        }
        return unused;
    }
}
