package io.mcpbridge.audit.file;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.mcpbridge.audit.record.ChainHead;
import io.mcpbridge.audit.verify.Segment;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;

/**
 * Where the next start begins to read, so that it need not read the whole trail: where the chain stood at a checkpoint,
 * and which calls were open there.
 *
 * <p>It only saves time. A verifier does not look at it, and where it is missing, old or damaged, more is read.
 */
final class ResumeFile {
    private static final String NAME = "resume";
    private static final String TITLE = "mcp-bridge-audit-resume 1";
    private static final int HEAD_LINES = 4;

    /**
     * What it says.
     *
     * @param head where the chain stood
     * @param first the first sequence of the segment in which the next line stands
     * @param offset of that line
     * @param open the places of the enters that had no exit
     */
    record Point(ChainHead head, long first, long offset, List<OpenCalls.Place> open) {

        /** Whether it is a place in this segment, behind a line: nothing may be written behind one whose end is damaged. */
        boolean isIn(Segment segment) {
            if (segment.first() != first) {
                return false;
            }
            try (var channel = FileChannel.open(segment.file(), StandardOpenOption.READ)) {
                var end = ByteBuffer.allocate(1);
                return offset == 0 || (channel.read(end, offset - 1) == 1 && end.get(0) == '\n');
            } catch (IOException gone) {
                return false;
            }
        }
    }

    private ResumeFile() {}

    /** Replaces the file as a whole. It is not synced: an older one does too. */
    static void write(Path folder, Disk disk, Point point) throws IOException {
        var text = new StringBuilder(TITLE).append('\n');
        text.append(point.head().sequence()).append('\n');
        text.append(point.head().hash()).append('\n');
        text.append(point.first()).append(' ').append(point.offset()).append('\n');
        for (var place : point.open()) {
            text.append(place.first()).append(' ').append(place.offset()).append('\n');
        }
        text.append(digest(text.toString())).append('\n');
        var beside = folder.resolve(NAME + ".new");
        try (var file = new AppendedFile(disk.open(beside), 0)) {
            file.cut(0);
            file.append(ByteBuffer.wrap(text.toString().getBytes(UTF_8)));
        }
        Files.move(beside, folder.resolve(NAME), StandardCopyOption.ATOMIC_MOVE);
    }

    /** What it says; empty where it is missing or damaged. */
    static Optional<Point> read(Path folder) throws IOException {
        var file = folder.resolve(NAME);
        if (!Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS)) {
            return Optional.empty();
        }
        try {
            var lines = List.of(new String(Files.readAllBytes(file), UTF_8).split("\n"));
            var isWhole = lines.size() > HEAD_LINES
                    && lines.get(0).equals(TITLE)
                    && lines.get(lines.size() - 1).equals(digest(before(lines)));
            return isWhole ? Optional.of(point(lines)) : Optional.empty();
        } catch (IllegalArgumentException damaged) {
            return Optional.empty();
        }
    }

    private static String before(List<String> lines) {
        return String.join("\n", lines.subList(0, lines.size() - 1)) + "\n";
    }

    private static Point point(List<String> lines) {
        var head = new ChainHead(Long.parseLong(lines.get(1)), lines.get(2));
        var next = place(lines.get(HEAD_LINES - 1));
        var open = new ArrayList<OpenCalls.Place>();
        lines.subList(HEAD_LINES, lines.size() - 1).forEach(line -> open.add(place(line)));
        return new Point(head, next.first(), next.offset(), open);
    }

    private static OpenCalls.Place place(String line) {
        var numbers = line.split(" ", 2);
        if (numbers.length != 2) {
            throw new IllegalArgumentException("'" + line + "' is no place");
        }
        return new OpenCalls.Place(Long.parseLong(numbers[0]), Long.parseLong(numbers[1]));
    }

    private static String digest(String text) {
        try {
            return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(text.getBytes(UTF_8)));
        } catch (NoSuchAlgorithmException everyJavaHasIt) {
            throw new IllegalStateException(everyJavaHasIt);
        }
    }
}
