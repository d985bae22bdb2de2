package io.mcpbridge.audit.verify;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * A segment, which is one file of a trail.
 *
 * @param file the file; each line is a record
 * @param first the sequence of its first record, which is the name of the file
 */
public record Segment(Path file, long first) {
    private static final Pattern NAME = Pattern.compile("(\\d{20})\\.jsonl");

    /** The segment that begins with the record {@code first}; its file need not exist. */
    public static Segment beginning(Path directory, long first) {
        return new Segment(directory.resolve("%020d.jsonl".formatted(first)), first);
    }

    /** The segments of a trail in order; skips other files. */
    public static List<Segment> in(Path directory) throws IOException {
        try (var files = Files.list(directory)) {
            return files.map(Segment::of)
                    .flatMap(Optional::stream)
                    .sorted(Comparator.comparingLong(Segment::first))
                    .toList();
        }
    }

    private static Optional<Segment> of(Path file) {
        var parts = NAME.matcher(String.valueOf(file.getFileName()));
        try {
            return parts.matches() ? Optional.of(new Segment(file, Long.parseLong(parts.group(1)))) : Optional.empty();
        } catch (NumberFormatException e) {
            return Optional.empty();
        }
    }

    /** The fault of a file that is not a regular file; a missing file is no fault, since retention removes files. */
    Optional<String> irregularFileFault() {
        if (!Files.exists(file, LinkOption.NOFOLLOW_LINKS) || Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS)) {
            return Optional.empty();
        }
        var what = Files.isSymbolicLink(file) ? "a symbolic link" : "a special file";
        return Optional.of("the segment is %s, but must be an ordinary file".formatted(what));
    }

    /** The name of the file. */
    public String name() {
        return String.valueOf(file.getFileName());
    }
}
