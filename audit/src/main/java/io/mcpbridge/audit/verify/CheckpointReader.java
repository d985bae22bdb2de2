package io.mcpbridge.audit.verify;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Optional;

/**
 * Reads the checkpoints of a trail, those that were there when it was opened. For one thread at a time.
 *
 * <p>A note that is not complete, since it is being written or its writer was killed, is passed over.
 */
public final class CheckpointReader implements AutoCloseable {
    /** The name of the file beside the segments. */
    public static final String FILE = "checkpoints";

    private final Optional<SegmentReader> lines;
    private final long size;
    private long end;
    private long line;

    private CheckpointReader(Optional<SegmentReader> lines, long size) {
        this.lines = lines;
        this.size = size;
    }

    /** Reads from the beginning; a trail without the file has no checkpoints. */
    public static CheckpointReader open(Path directory) throws IOException {
        var file = directory.resolve(FILE);
        if (!Files.exists(file, LinkOption.NOFOLLOW_LINKS)) {
            return new CheckpointReader(Optional.empty(), 0);
        }
        var size = Files.size(file);
        return new CheckpointReader(Optional.of(SegmentReader.open(file, 0, size)), size);
    }

    /**
     * Whether checkpoints of a folder say that there are, or were, records. The first one of a trail vouches for none; what
     * is damaged may have said anything.
     */
    public static boolean tellOfRecords(Path folder) throws IOException {
        try (var reader = open(folder)) {
            for (var next = reader.next(); next.isPresent(); next = reader.next()) {
                if (next.get().checkpoint().size() > 0) {
                    return true;
                }
            }
            return reader.hasRest();
        } catch (IllegalArgumentException damaged) {
            return true;
        }
    }

    /** Whether something stands behind the last one that is none, such as the half of one. */
    public boolean hasRest() {
        return end < size;
    }

    /**
     * The next one, or empty where there is none.
     *
     * @throws IllegalArgumentException if what stands there is no checkpoint; the next call passes over one line
     */
    public Optional<SignedCheckpoint> next() throws IOException {
        if (lines.isEmpty()) {
            return Optional.empty();
        }
        var note = new ArrayList<String>();
        while (note.size() < SignedCheckpoint.LINES) {
            var next = lines.get().next();
            if (next.isEmpty()) {
                return Optional.empty();
            }
            note.add(new String(next.get().bytes(), UTF_8));
        }
        line += note.size();
        end = lines.get().offset();
        return Optional.of(SignedCheckpoint.of(note));
    }

    /** Where the last one ends in the file. */
    public long end() {
        return end;
    }

    /** The number of the line on which the last one ends. */
    public long line() {
        return line;
    }

    @Override
    public void close() throws IOException {
        if (lines.isPresent()) {
            lines.get().close();
        }
    }
}
