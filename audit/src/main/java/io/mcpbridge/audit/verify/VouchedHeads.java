package io.mcpbridge.audit.verify;

import io.mcpbridge.audit.record.ChainHead;
import io.mcpbridge.audit.verify.AuditFault.Kind;
import java.io.IOException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Where the chain stands at each checkpoint, after its signature was checked. For one thread at a time. */
final class VouchedHeads {
    private final List<VerificationKey> keys;
    private final Map<Long, byte[]> heads = new HashMap<>();
    private ChainHead last = ChainHead.START;
    private int checked;

    VouchedHeads(List<VerificationKey> keys) {
        this.keys = List.copyOf(keys);
    }

    /** Reads checkpoints up to the first that is at fault, which it tells; without keys there is nothing that vouches. */
    Optional<AuditFault> read(CheckpointReader reader) throws IOException {
        try {
            if (!keys.isEmpty()) {
                readAll(reader);
            }
            return Optional.empty();
        } catch (Found found) {
            return Optional.of(found.fault());
        }
    }

    private void readAll(CheckpointReader reader) throws IOException, Found {
        for (var next = next(reader); next.isPresent(); next = next(reader)) {
            var note = next.get();
            if (keys.stream().noneMatch(key -> key.vouchesFor(note))) {
                throw fault(reader, "the checkpoint for record %d is not signed with the key".formatted(sizeOf(note)));
            }
            if (sizeOf(note) < last.sequence()) {
                throw fault(
                        reader,
                        "a checkpoint for record %d follows one for record %d"
                                .formatted(sizeOf(note), last.sequence()));
            }
            checked++;
            last = new ChainHead(sizeOf(note), note.checkpoint().head());
            heads.put(sizeOf(note), HexFormat.of().parseHex(note.checkpoint().head()));
        }
    }

    private Optional<SignedCheckpoint> next(CheckpointReader reader) throws IOException, Found {
        try {
            return reader.next();
        } catch (IllegalArgumentException damaged) {
            throw fault(reader, "this is no checkpoint: " + damaged.getMessage());
        }
    }

    private Found fault(CheckpointReader reader, String message) {
        return new Found(Kind.BAD_SIGNATURE, CheckpointReader.FILE, reader.line(), last.sequence() + 1, message);
    }

    private static long sizeOf(SignedCheckpoint note) {
        return note.checkpoint().size();
    }

    /** A trail without segments is new, or all of it was taken away: then its checkpoints may be left. */
    void requireNoRecords(Path folder) throws IOException, Found {
        if (!CheckpointReader.tellOfRecords(folder)) {
            return;
        }
        throw new Found(
                Kind.MISSING,
                CheckpointReader.FILE,
                0,
                1,
                last.sequence() > 0
                        ? "records 1 to %d are missing: a checkpoint vouches for them, but no segment is there"
                                .formatted(last.sequence())
                        : "all records are missing: there are checkpoints, but no segment is there");
    }

    /** Where the chain stands at a record, if a checkpoint says so. */
    Optional<ChainHead> at(long sequence) {
        var hash = heads.get(sequence);
        return hash == null
                ? Optional.empty()
                : Optional.of(new ChainHead(sequence, HexFormat.of().formatHex(hash)));
    }

    /** The last one. */
    ChainHead last() {
        return last;
    }

    int checked() {
        return checked;
    }
}
