package io.mcpbridge.audit.verify;

import io.mcpbridge.audit.record.ChainHead;
import io.mcpbridge.audit.verify.AuditReport.Fault.Kind;
import io.mcpbridge.audit.verify.AuditVerifier.FaultFoundException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The head of the chain at each checkpoint with a valid signature. For one thread. */
final class VerifiedHeads {
    private final List<VerificationKey> keys;
    private final Map<Long, byte[]> heads = new HashMap<>();
    private ChainHead last = ChainHead.START;
    private int checked;

    VerifiedHeads(List<VerificationKey> keys) {
        this.keys = List.copyOf(keys);
    }

    /** Reads checkpoints up to the first fault and returns that fault; without keys it reads none. */
    Optional<AuditReport.Fault> read(CheckpointReader reader) throws IOException {
        try {
            if (!keys.isEmpty()) {
                readAll(reader);
            }
            return Optional.empty();
        } catch (FaultFoundException found) {
            return Optional.of(found.fault());
        }
    }

    private void readAll(CheckpointReader reader) throws IOException, FaultFoundException {
        for (var next = next(reader); next.isPresent(); next = next(reader)) {
            var note = next.get();
            if (keys.stream().noneMatch(key -> key.verifies(note))) {
                throw fault(reader, "the checkpoint for record %d is not signed with the key".formatted(note.size()));
            }
            if (note.size() < last.sequence()) {
                throw fault(
                        reader,
                        "a checkpoint for record %d follows one for record %d".formatted(note.size(), last.sequence()));
            }
            checked++;
            last = note.head();
            heads.put(last.sequence(), HexFormat.of().parseHex(last.hash()));
        }
    }

    private Optional<SignedCheckpoint> next(CheckpointReader reader) throws IOException, FaultFoundException {
        try {
            return reader.next();
        } catch (IllegalArgumentException e) {
            throw fault(reader, "this is not a checkpoint: " + e.getMessage());
        }
    }

    private FaultFoundException fault(CheckpointReader reader, String message) {
        return new FaultFoundException(
                Kind.BAD_SIGNATURE, CheckpointReader.FILE, reader.line(), last.sequence() + 1, message);
    }

    /** Fails if a trail without segments has checkpoints that cover records: the segments were removed. */
    void requireNoRecords(Path folder) throws IOException, FaultFoundException {
        if (!CheckpointReader.coverRecords(folder)) {
            return;
        }
        throw new FaultFoundException(
                Kind.MISSING,
                CheckpointReader.FILE,
                0,
                1,
                last.sequence() > 0
                        ? "records 1 to %d are missing: a checkpoint covers them, but there is no segment"
                                .formatted(last.sequence())
                        : "all records are missing: there are checkpoints, but there is no segment");
    }

    /** The head of the chain at a record, if a checkpoint ends there. */
    Optional<ChainHead> at(long sequence) {
        return Optional.ofNullable(heads.get(sequence))
                .map(hash -> new ChainHead(sequence, HexFormat.of().formatHex(hash)));
    }

    /** The head of the chain at the last checkpoint. */
    ChainHead last() {
        return last;
    }

    int checked() {
        return checked;
    }
}
