package io.mcpbridge.audit.file;

import java.io.IOException;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.regex.Pattern;

/** Keeps aside what is cut from a segment, in {@code <segment>.torn}, for whoever wants to know what it was. */
final class TornRest {
    private static final int PIECE = 1 << 16;
    private static final Pattern NAME = Pattern.compile("(\\d{20})\\.jsonl\\.torn(-\\d+)?");

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

    /** Removes what was cut from segments that are gone, those that began before the record {@code first}. */
    static void removeBefore(Path folder, long first) throws IOException {
        try (var files = Files.list(folder)) {
            for (var file : files.toList()) {
                var name = NAME.matcher(String.valueOf(file.getFileName()));
                if (name.matches() && new BigInteger(name.group(1)).compareTo(BigInteger.valueOf(first)) < 0) {
                    Files.deleteIfExists(file);
                }
            }
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
