package io.mcpbridge.audit.file;

import io.mcpbridge.audit.internal.Uncovered;
import io.mcpbridge.audit.record.ChainHead;
import io.mcpbridge.audit.verify.CheckpointReader;
import io.mcpbridge.audit.verify.SignedCheckpoint;
import io.mcpbridge.audit.verify.VerificationKey;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.PriorityQueue;

/**
 * The checkpoints that lie in a folder, as the sink needs them at its start.
 *
 * <p>Of those that one of its own keys has signed it believes the one that vouches for the most, wherever that stands: who
 * puts others beside it, or it in another place, changes nothing.
 */
final class KnownCheckpoints {
    private static final Comparator<SignedCheckpoint> BY_SIZE =
            Comparator.comparingLong(note -> note.checkpoint().size());

    /** To check a signature takes long, so not all are; whoever puts more false ones there is told of lost checkpoints. */
    private static final int MOST_TRIED = 1_000;

    private final Path folder;
    private final List<VerificationKey> keys;
    private final Map<String, String> findings;
    private Optional<SignedCheckpoint> believed = Optional.empty();
    private Uncovered uncovered = new Uncovered(0);
    private long end;

    private KnownCheckpoints(Path folder, List<VerificationKey> keys, Map<String, String> findings) {
        this.folder = folder;
        this.keys = keys;
        this.findings = findings;
    }

    /** Reads them; what is odd about them goes into {@code findings}. */
    static KnownCheckpoints read(Path folder, List<VerificationKey> keys, Map<String, String> findings)
            throws IOException {
        var known = new KnownCheckpoints(folder, keys, findings);
        known.believe(known.largest());
        known.uncovered = new Uncovered(known.vouched().sequence());
        return known;
    }

    private List<SignedCheckpoint> largest() throws IOException {
        var largest = new PriorityQueue<>(BY_SIZE);
        try (var reader = CheckpointReader.open(folder)) {
            for (var next = next(reader); next.isPresent(); next = next(reader)) {
                end = reader.end();
                largest.add(next.get());
                if (largest.size() > MOST_TRIED) {
                    largest.remove();
                }
            }
            if (reader.hasRest()) {
                findings.put("torn-checkpoint", "behind byte " + reader.end());
            }
        }
        var all = new ArrayList<>(largest);
        all.sort(BY_SIZE.reversed());
        return all;
    }

    private void believe(List<SignedCheckpoint> largestFirst) {
        for (var note : largestFirst) {
            if (isOurs(note)) {
                believed = Optional.of(note);
                return;
            }
            findings.put("checkpoint-not-ours", note.name());
        }
    }

    private boolean isOurs(SignedCheckpoint note) {
        return keys.stream().anyMatch(key -> key.vouchesFor(note));
    }

    /** Whether there is one that a key of ours has signed. */
    boolean areBelieved() {
        return believed.isPresent();
    }

    /** Where the chain stood at the one that vouches for the most. */
    ChainHead vouched() {
        return believed.map(KnownCheckpoints::head).orElse(ChainHead.START);
    }

    /** What stands behind it, as far as the trail was read by now. */
    Uncovered uncovered() {
        return uncovered;
    }

    /** The name of the key that signed it, or the empty string. */
    String signer() {
        return believed.map(SignedCheckpoint::name).orElse("");
    }

    /** Where the last one ends in the file. */
    long end() {
        return end;
    }

    /** Where the chain stood at a record, if one of ours says so. */
    Optional<ChainHead> at(long sequence) throws IOException {
        try (var reader = CheckpointReader.open(folder)) {
            for (var next = next(reader); next.isPresent(); next = next(reader)) {
                if (next.get().checkpoint().size() == sequence && isOurs(next.get())) {
                    return next.map(KnownCheckpoints::head);
                }
            }
        }
        return Optional.empty();
    }

    /** Damage in their file is for the verifier to tell; what comes behind it must not be lost. */
    private Optional<SignedCheckpoint> next(CheckpointReader reader) throws IOException {
        while (true) {
            try {
                return reader.next();
            } catch (IllegalArgumentException damaged) {
                end = Math.max(end, reader.end());
                findings.put("damaged-checkpoint", "line " + reader.line());
            }
        }
    }

    private static ChainHead head(SignedCheckpoint note) {
        return new ChainHead(note.checkpoint().size(), note.checkpoint().head());
    }
}
