package io.mcpbridge.audit.file;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.mcpbridge.audit.file.TrailFileSystem.AppendedFile;
import io.mcpbridge.audit.record.AuditChain;
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
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;

/**
 * The file with the resume point, from which the next start reads the trail: the head of the chain at a checkpoint and
 * the calls that were open there.
 *
 * <p>The file only saves time, and the verifier ignores it. If it is missing, old or damaged, a start reads more of the
 * trail.
 */
final class ResumePointFile {
    private static final String NAME = "resume";
    private static final String TITLE = "mcp-bridge-audit-resume 1";
    private static final int HEAD_LINES = 4;

    /**
     * A point in the trail.
     *
     * @param head the head of the chain there
     * @param first the sequence of the first record of the segment with the next line
     * @param offset of that line
     * @param open the places of the enters without an exit
     */
    record Point(ChainHead head, long first, long offset, List<OpenCallIndex.Place> open) {

        /** Whether the point is in this segment and at the end of a line: no record may follow a damaged line end. */
        boolean isIn(Segment segment) {
            if (segment.first() != first) {
                return false;
            }
            try (var channel = FileChannel.open(segment.file(), StandardOpenOption.READ)) {
                var end = ByteBuffer.allocate(1);
                return offset == 0 || (channel.read(end, offset - 1) == 1 && end.get(0) == '\n');
            } catch (IOException e) {
                return false;
            }
        }
    }

    private ResumePointFile() {}

    /** Replaces the file atomically, without a sync: after a loss of power an older file serves too. */
    static void write(Path folder, TrailFileSystem disk, Point point) throws IOException {
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

    /** The point in the file; empty if the file is missing or damaged. */
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
        } catch (IllegalArgumentException e) {
            return Optional.empty();
        }
    }

    private static String before(List<String> lines) {
        return String.join("\n", lines.subList(0, lines.size() - 1)) + "\n";
    }

    private static Point point(List<String> lines) {
        var head = new ChainHead(Long.parseLong(lines.get(1)), lines.get(2));
        var next = place(lines.get(HEAD_LINES - 1));
        var open = new ArrayList<OpenCallIndex.Place>();
        lines.subList(HEAD_LINES, lines.size() - 1).forEach(line -> open.add(place(line)));
        return new Point(head, next.first(), next.offset(), open);
    }

    private static OpenCallIndex.Place place(String line) {
        var numbers = line.split(" ", 2);
        if (numbers.length != 2) {
            throw new IllegalArgumentException("'" + line + "' is not a place: it must be two numbers");
        }
        return new OpenCallIndex.Place(Long.parseLong(numbers[0]), Long.parseLong(numbers[1]));
    }

    private static String digest(String text) {
        return HexFormat.of().formatHex(AuditChain.sha256().digest(text.getBytes(UTF_8)));
    }
}
