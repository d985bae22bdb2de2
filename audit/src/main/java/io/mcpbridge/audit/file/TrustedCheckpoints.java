package io.mcpbridge.audit.file;

import io.mcpbridge.audit.internal.UncoveredRecords;
import io.mcpbridge.audit.record.ChainHead;
import io.mcpbridge.audit.verify.CheckpointReader;
import io.mcpbridge.audit.verify.Segment;
import io.mcpbridge.audit.verify.SignedCheckpoint;
import io.mcpbridge.failure.ConfigurationException;
import io.mcpbridge.spi.AuditSink.AuditNote;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.PriorityQueue;
import java.util.TreeMap;

/**
 * The checkpoints of a trail with a valid signature of its own keys; a sink reads them when it opens the trail.
 *
 * <p>The sink trusts the checkpoint that covers the most records, wherever it is in the file: other checkpoints, or
 * another order, have no effect. A trail has a checkpoint from its beginning on. A trail without one has lost its
 * checkpoints, and a new signature would cover records that others may have written.
 */
final class TrustedCheckpoints {
    /** The kind of the note that a trail was opened after its checkpoints were lost. */
    static final String LOST = "checkpoints-lost";

    private static final Comparator<SignedCheckpoint> BY_SIZE = Comparator.comparingLong(note -> note.size());

    /**
     * The most signatures that are checked, since each takes long; after so many false ones the checkpoints count as
     * lost.
     */
    private static final int MAX_TRIED = 1_000;

    private final FileAuditSettings settings;
    private final SigningKey key;
    private final Map<String, String> findings;
    private Optional<SignedCheckpoint> trusted = Optional.empty();
    private UncoveredRecords uncovered = new UncoveredRecords(0);
    private long end;

    private TrustedCheckpoints(FileAuditSettings settings, SigningKey key, Map<String, String> findings) {
        this.settings = settings;
        this.key = key;
        this.findings = findings;
    }

    /** Reads the checkpoints; {@code findings} receives each irregularity. */
    static TrustedCheckpoints read(FileAuditSettings settings, SigningKey key, Map<String, String> findings)
            throws IOException {
        var known = new TrustedCheckpoints(settings, key, findings);
        known.trustFirst(known.largest());
        known.uncovered = new UncoveredRecords(known.head().sequence());
        return known;
    }

    private List<SignedCheckpoint> largest() throws IOException {
        var largest = new PriorityQueue<>(BY_SIZE);
        try (var reader = CheckpointReader.open(settings.path())) {
            for (var next = reader.nextReadable(); next.isPresent(); next = reader.nextReadable()) {
                largest.add(next.get());
                if (largest.size() > MAX_TRIED) {
                    largest.remove();
                }
            }
            end = reader.end();
            if (reader.damagedLine() > 0) {
                findings.put("damaged-checkpoint", "line " + reader.damagedLine());
            }
            if (reader.hasRest()) {
                findings.put("torn-checkpoint", "behind byte " + reader.end());
            }
        }
        var all = new ArrayList<>(largest);
        all.sort(BY_SIZE.reversed());
        return all;
    }

    private void trustFirst(List<SignedCheckpoint> largestFirst) {
        for (var note : largestFirst) {
            if (isOurs(note)) {
                trusted = Optional.of(note);
                return;
            }
            findings.put("checkpoint-not-ours", note.name());
        }
    }

    private boolean isOurs(SignedCheckpoint note) {
        return key.all().stream().anyMatch(each -> each.verifies(note));
    }

    /** Whether one of our keys signed a checkpoint. */
    boolean isAny() {
        return trusted.isPresent();
    }

    /** The head of the chain at the trusted checkpoint. */
    ChainHead head() {
        return trusted.map(SignedCheckpoint::head).orElse(ChainHead.START);
    }

    /** The records after the trusted checkpoint, as far as the trail was read. */
    UncoveredRecords uncovered() {
        return uncovered;
    }

    /** The position after the last checkpoint in the file. */
    long end() {
        return end;
    }

    /** The head of the chain at a record, if a trusted checkpoint ends there. */
    Optional<ChainHead> at(long sequence) throws IOException {
        try (var reader = CheckpointReader.open(settings.path())) {
            for (var next = reader.nextReadable(); next.isPresent(); next = reader.nextReadable()) {
                if (next.get().size() == sequence && isOurs(next.get())) {
                    return next.map(SignedCheckpoint::head);
                }
            }
        }
        return Optional.empty();
    }

    /**
     * Rejects a trail that has records but no trusted checkpoint, if audit is required.
     *
     * @throws ConfigurationException if the trail has records
     */
    void require() throws IOException {
        if (!isAny()) {
            requireNoRecords(settings, key.publicHalf().name());
        }
    }

    /**
     * Like {@link #require}, for a trail without a key; called before the key is created, so that a failed start
     * creates none.
     *
     * @throws ConfigurationException if the trail has records
     */
    static void requireKey(FileAuditSettings settings) throws IOException {
        if (SigningKey.areMissing(settings.key())) {
            requireNoRecords(settings, String.valueOf(settings.key()));
        }
    }

    private static void requireNoRecords(FileAuditSettings settings, String key) throws IOException {
        if (settings.durability() == FileAuditSettings.Durability.EACH_GROUP && hasRecords(settings)) {
            throw ConfigurationException.of(
                    "the audit trail in '%s' has records, but no checkpoint that '%s' signed: the checkpoints were removed, damaged or signed with another key, and nothing shows that the records are as they were written. Bring 'checkpoints' and the key back, or move the folder away to begin another trail, or start once with 'mode' 'best-effort': then the trail continues with a note '%s'"
                            .formatted(settings.path(), key, LOST));
        }
    }

    /**
     * The note that there is a key but no trail: the trail was lost, or is elsewhere. Call this before a key is
     * created.
     */
    static Optional<AuditNote> missing(FileAuditSettings settings) throws IOException {
        if (SigningKey.areMissing(settings.key()) || isTrail(settings.path())) {
            return Optional.empty();
        }
        var details = Map.of("key", String.valueOf(settings.key().getFileName()));
        return Optional.of(new AuditNote("trail-missing", details));
    }

    private static boolean isTrail(Path folder) throws IOException {
        return Files.exists(folder)
                && (Files.exists(folder.resolve(CheckpointReader.FILE))
                        || !Segment.in(folder).isEmpty());
    }

    private static boolean hasRecords(FileAuditSettings settings) throws IOException {
        if (!Files.exists(settings.path())) {
            return false;
        }
        for (var segment : Segment.in(settings.path())) {
            if (Files.size(segment.file()) > 0) {
                return true;
            }
        }
        return false;
    }

    /** The note that a trail with this head has lost its checkpoints. */
    Optional<AuditNote> lost(ChainHead head) {
        var through = head.sequence();
        var vouched = head().sequence();
        var why = uncovered.fault().or(uncovered::remark);
        if (through == 0 || (isAny() && why.isEmpty())) {
            return Optional.empty();
        }
        var details = new TreeMap<>(Map.of("through", Long.toString(through), "vouched", Long.toString(vouched)));
        why.ifPresent(words -> details.put("reason", words));
        return Optional.of(new AuditNote(LOST, details));
    }

    /** The note that another key signs from now on. */
    Optional<AuditNote> keyChange() {
        var to = key.publicHalf().name();
        return trusted.map(SignedCheckpoint::name)
                .filter(from -> !from.equals(to))
                .map(from -> new AuditNote("key-changed", Map.of("from", from, "to", to)));
    }
}
