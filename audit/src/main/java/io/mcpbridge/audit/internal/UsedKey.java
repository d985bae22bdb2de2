package io.mcpbridge.audit.internal;

import io.mcpbridge.audit.record.AuditLine;
import io.mcpbridge.audit.record.AuditRecords;
import io.mcpbridge.failure.ProtocolException;
import io.mcpbridge.spi.AuditNote;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * The key with which the latest records of a trail hash what they do not show. Where another one is used from now on,
 * hashes before and after cannot be compared, and the trail says so. Immutable.
 *
 * <p>The trail itself tells it: a note that got lost, as with a start that was refused, is made by the next start.
 */
public final class UsedKey {
    /** What a trail says of itself when values are hashed with another key than before. */
    public static final String CHANGED = "redaction-key-changed";

    /** That of a trail without hashes. */
    public static final UsedKey NONE = new UsedKey("");

    private static final Pattern HASH = Pattern.compile("hmac-sha256:([0-9a-f]{8}):[0-9a-f]{64}");
    private static final String TO = "to";

    private final String id;

    private UsedKey(String id) {
        this.id = id;
    }

    /** The key that a record shows; what is no record, such as the rest of one, shows none. */
    public static Optional<UsedKey> shownBy(byte[] line) {
        try {
            var record = AuditLine.parse(line);
            return switch (record.type()) {
                case ENTER -> ofHash(record.text("argumentsHash"));
                case EXIT -> ofHash(record.text("resultHash"));
                case DENIED -> Optional.empty();
                case NOTE -> ofNote(record);
            };
        } catch (ProtocolException noRecord) {
            return Optional.empty();
        }
    }

    /** Says that another key is used from now on. */
    public Optional<AuditNote> otherThan(AuditRecords records) {
        var now = records.lastingKey();
        return id.isEmpty() || now.isEmpty() || id.equals(now)
                ? Optional.empty()
                : Optional.of(new AuditNote(CHANGED, Map.of("from", id, TO, now)));
    }

    private static Optional<UsedKey> ofHash(Optional<String> hash) {
        return hash.map(HASH::matcher)
                .filter(matcher -> matcher.matches())
                .map(matcher -> new UsedKey(matcher.group(1)));
    }

    private static Optional<UsedKey> ofNote(AuditLine note) {
        return note.text("kind").filter(CHANGED::equals).isPresent()
                        && note.data().get("details") instanceof Map<?, ?> details
                        && details.get(TO) instanceof String id
                ? Optional.of(new UsedKey(id))
                : Optional.empty();
    }
}
