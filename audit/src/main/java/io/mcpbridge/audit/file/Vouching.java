package io.mcpbridge.audit.file;

import io.mcpbridge.audit.record.ChainHead;
import io.mcpbridge.audit.verify.CheckpointReader;
import io.mcpbridge.audit.verify.Segment;
import io.mcpbridge.failure.ConfigurationException;
import io.mcpbridge.spi.AuditNote;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * Compares what a trail holds with what its checkpoints vouch for. A trail has one from its beginning on, and more as it
 * grows, so one without was robbed of them: to sign it as if nothing had been would vouch for whatever stands there now.
 */
record Vouching(FileAuditSettings settings, SigningKey key, KnownCheckpoints known) {
    /** What a trail says of itself when it is taken up without the checkpoints that it must have had. */
    static final String LOST = "checkpoints-lost";

    /**
     * Refuses a trail that nothing vouches for, where records are required to be safe.
     *
     * @throws ConfigurationException if it is one
     */
    void require() throws IOException {
        if (!known.areBelieved()) {
            requireNoRecords(settings, key.publicHalf().name());
        }
    }

    /**
     * The same where there is no key at all, before one is made: a start that is refused makes none.
     *
     * @throws ConfigurationException if it is one
     */
    static void requireKey(FileAuditSettings settings) throws IOException {
        if (SigningKeyFiles.areMissing(settings.key())) {
            requireNoRecords(settings, String.valueOf(settings.key()));
        }
    }

    private static void requireNoRecords(FileAuditSettings settings, String key) throws IOException {
        if (settings.durability() == FileAuditSettings.Durability.EACH_GROUP && hasRecords(settings)) {
            throw ConfigurationException.of(
                    "the audit trail in '%s' holds records, but no checkpoint that '%s' has signed: they were taken away, damaged or signed with another key, and nothing shows that the records are what was written. Bring 'checkpoints' and the key back, or move the folder away and begin another trail, or start once with 'mode' 'best-effort': then the trail goes on, and says in a note '%s' that it did"
                            .formatted(settings.path(), key, LOST));
        }
    }

    /** Says, before a key is made, that there is one and no trail that it has signed: that was lost, or is elsewhere. */
    static Optional<AuditNote> missing(FileAuditSettings settings) throws IOException {
        if (SigningKeyFiles.areMissing(settings.key()) || isTrail(settings.path())) {
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

    /**
     * Says that checkpoints are missing which a trail must have had.
     *
     * @param head where the chain stands
     */
    Optional<AuditNote> lost(ChainHead head) {
        var through = head.sequence();
        var vouched = known.vouched().sequence();
        var uncovered = known.uncovered();
        var why = uncovered.fault().or(uncovered::remark);
        if (through == 0 || (known.areBelieved() && why.isEmpty())) {
            return Optional.empty();
        }
        var details = new TreeMap<>(Map.of("through", Long.toString(through), "vouched", Long.toString(vouched)));
        why.ifPresent(words -> details.put("reason", words));
        return Optional.of(new AuditNote(LOST, details));
    }

    /** Says that another key signs from now on. */
    Optional<AuditNote> otherKey() {
        var name = key.publicHalf().name();
        return known.signer().isEmpty() || known.signer().equals(name)
                ? Optional.empty()
                : Optional.of(new AuditNote("key-changed", Map.of("from", known.signer(), "to", name)));
    }
}
