package io.mcpbridge.audit.verify;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Checkpoints of a trail that were copied to where whoever writes the trail cannot write: the trail has to be the one that
 * they vouch for, whoever has its key by now. Immutable.
 *
 * <p>They may come in any order and more than once, so that copies can be appended to each other, and some may be torn.
 */
public final class KeptCheckpoints {
    /** None were kept. */
    public static final KeptCheckpoints NONE = new KeptCheckpoints("", List.of(), 0);

    private final String name;
    private final List<SignedCheckpoint> notes;
    private final long passedOver;

    private KeptCheckpoints(String name, List<SignedCheckpoint> notes, long passedOver) {
        this.name = name;
        this.notes = List.copyOf(notes);
        this.passedOver = passedOver;
    }

    /**
     * Reads a copy of a trail's {@code checkpoints}, or of some of them; lines that are of none are passed over.
     *
     * @throws IOException if it cannot be read
     * @throws IllegalArgumentException if it holds none at all
     */
    public static KeptCheckpoints read(Path file) throws IOException {
        var kept = new Reading();
        try (var lines = SegmentReader.open(file.toRealPath())) {
            for (var line = lines.next(); line.isPresent(); line = lines.next()) {
                kept.take(line.get());
            }
            // An editor, or who copied it by hand, may have left out the last line end.
            lines.rest().ifPresent(kept::take);
        }
        return kept.checkpoints(String.valueOf(file.getFileName()));
    }

    /** How many there are. */
    public int size() {
        return notes.size();
    }

    /** How many lines are of none, as those of one that was copied while it was written. */
    public long passedOver() {
        return passedOver;
    }

    /** The last record that they vouch for; 0 where there is none. */
    public long last() {
        return notes.stream().mapToLong(note -> note.checkpoint().size()).max().orElse(0);
    }

    /** The name of the file that they were read from. */
    String name() {
        return name;
    }

    List<SignedCheckpoint> notes() {
        return notes;
    }

    /** The lines of a copy, of which some are of none. */
    private static final class Reading {
        private final List<SignedCheckpoint> notes = new ArrayList<>();
        private final List<String> window = new ArrayList<>();
        private long passedOver;

        void take(SegmentReader.Line line) {
            window.add(new String(line.bytes(), UTF_8));
            if (window.size() < SignedCheckpoint.LINES) {
                return;
            }
            var note = note(window);
            if (note.isPresent()) {
                notes.add(note.get());
                window.clear();
            } else {
                window.remove(0);
                passedOver++;
            }
        }

        KeptCheckpoints checkpoints(String name) {
            if (notes.isEmpty()) {
                throw new IllegalArgumentException("it holds no whole checkpoint");
            }
            return new KeptCheckpoints(name, notes, passedOver + window.size());
        }

        private static Optional<SignedCheckpoint> note(List<String> lines) {
            try {
                // Ours have the name of the key as their origin; another one is the torn line of the note before.
                return Optional.of(SignedCheckpoint.of(lines))
                        .filter(note -> note.checkpoint().origin().equals(note.name()))
                        .filter(SignedCheckpoint::isWhole);
            } catch (IllegalArgumentException none) {
                return Optional.empty();
            }
        }
    }
}
