package io.mcpbridge.audit.verify;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Optional;

/**
 * Reads the checkpoints of a trail that existed when the reader was opened. For one thread.
 *
 * <p>It skips an incomplete checkpoint at the end, which is being written or whose writer was killed.
 */
public final class CheckpointReader implements AutoCloseable {
    /** The name of the file beside the segments. */
    public static final String FILE = "checkpoints";

    private final Optional<FileLineReader> lines;
    private final long size;
    private long end;
    private long line;
    private long damagedLine;

    private CheckpointReader(Optional<FileLineReader> lines, long size) {
        this.lines = lines;
        this.size = size;
    }

    /** Opens a reader at the first checkpoint; a trail without the file has no checkpoints. */
    public static CheckpointReader open(Path directory) throws IOException {
        var file = directory.resolve(FILE);
        if (!Files.exists(file, LinkOption.NOFOLLOW_LINKS)) {
            return new CheckpointReader(Optional.empty(), 0);
        }
        var size = Files.size(file);
        return new CheckpointReader(Optional.of(FileLineReader.open(file, 0, size)), size);
    }

    /**
     * Whether the checkpoints of a folder prove that records exist or existed. The first checkpoint of a trail covers
     * none; a damaged one may have covered any.
     */
    public static boolean coverRecords(Path folder) throws IOException {
        try (var reader = open(folder)) {
            for (var next = reader.next(); next.isPresent(); next = reader.next()) {
                if (next.get().size() > 0) {
                    return true;
                }
            }
            return reader.hasRest();
        } catch (IllegalArgumentException damaged) {
            return true;
        }
    }

    /** Whether there are bytes after the last checkpoint, such as half of one. */
    public boolean hasRest() {
        return end < size;
    }

    /**
     * The next checkpoint; empty if there is none.
     *
     * @throws IllegalArgumentException if the next lines are not a checkpoint; the next call skips one line
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

    /** The next intact checkpoint; empty if there is none. It skips damaged ones, which the verifier reports. */
    public Optional<SignedCheckpoint> nextReadable() throws IOException {
        while (true) {
            try {
                return next();
            } catch (IllegalArgumentException e) {
                damagedLine = line;
            }
        }
    }

    /** The position after the last checkpoint in the file. */
    public long end() {
        return end;
    }

    /** The number of the last line of the last checkpoint. */
    public long line() {
        return line;
    }

    /** The number of the last line of the last checkpoint that {@link #nextReadable} skipped; 0 if there is none. */
    public long damagedLine() {
        return damagedLine;
    }

    @Override
    public void close() throws IOException {
        if (lines.isPresent()) {
            lines.get().close();
        }
    }
}
