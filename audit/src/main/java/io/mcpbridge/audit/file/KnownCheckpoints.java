package io.mcpbridge.audit.file;

import io.mcpbridge.audit.record.ChainHead;
import io.mcpbridge.audit.verify.CheckpointReader;
import io.mcpbridge.audit.verify.SignedCheckpoint;
import io.mcpbridge.audit.verify.VerificationKey;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The checkpoints that lie in a folder, as the sink needs them at its start: the last one of its own key. */
final class KnownCheckpoints {
    private final Path folder;
    private final Map<String, String> findings;
    private @Nullable SignedCheckpoint last;
    private long end;

    private KnownCheckpoints(Path folder, Map<String, String> findings) {
        this.folder = folder;
        this.findings = findings;
    }

    /** Reads them; what is odd about them goes into {@code findings}. */
    static KnownCheckpoints read(Path folder, VerificationKey key, Map<String, String> findings) throws IOException {
        var known = new KnownCheckpoints(folder, findings);
        try (var reader = CheckpointReader.open(folder)) {
            for (var next = known.next(reader); next.isPresent(); next = known.next(reader)) {
                known.end = reader.end();
                known.last = next.get();
            }
        }
        var last = known.last;
        if (last != null && !key.vouchesFor(last)) {
            findings.put("checkpoint-not-ours", last.name());
            known.last = null;
        }
        return known;
    }

    /** Where the chain stood at the last one. */
    ChainHead vouched() {
        return last == null ? ChainHead.START : head(last);
    }

    /** Where the last one ends in the file. */
    long end() {
        return end;
    }

    /** Where the chain stood at a record, if one says so; the verifier is who checks its signature. */
    Optional<ChainHead> at(long sequence) throws IOException {
        try (var reader = CheckpointReader.open(folder)) {
            for (var next = next(reader); next.isPresent(); next = next(reader)) {
                if (next.get().checkpoint().size() == sequence) {
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
