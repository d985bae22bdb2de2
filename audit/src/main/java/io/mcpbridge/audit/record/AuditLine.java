package io.mcpbridge.audit.record;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.mcpbridge.audit.internal.json.CanonicalJson;
import io.mcpbridge.audit.internal.json.JsonValues;
import io.mcpbridge.audit.internal.json.MalformedJsonException;
import io.mcpbridge.call.TraceParent;
import io.mcpbridge.failure.ErrorCode;
import io.mcpbridge.failure.ProtocolException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A record as it stands in a trail, read and checked for itself. Immutable.
 *
 * <p>Whether it stands in its right place is told by {@link #faultAfter}, which needs the line before.
 */
public final class AuditLine {
    private static final Pattern HASH = Pattern.compile("[0-9a-f]{64}");
    private static final Pattern SEQUENCE = Pattern.compile("00[0-9]{18}");
    private static final Set<String> KEYS = Set.of(
            "data",
            "datacontenttype",
            "id",
            "sequence",
            "source",
            "specversion",
            "subject",
            "time",
            "traceparent",
            "type",
            "zhash");

    private final byte[] line;
    private final Map<String, @Nullable Object> members;
    private final Map<String, @Nullable Object> data;
    private final RecordType type;
    private final Instant time;
    private final ChainHead head;

    private AuditLine(byte[] line, Map<String, @Nullable Object> members) {
        this.line = line;
        this.members = members;
        requireKeys();
        this.data = JsonValues.members(members.get("data")).orElseThrow(() -> wrong("data", "an object"));
        this.type = RecordType.of(required("type")).orElseThrow(() -> wrong("type", "one of the four of this trail"));
        this.time = instant(required("time"));
        this.head = new ChainHead(
                Long.parseLong(matching("sequence", SEQUENCE, "20 digits that begin with 00")),
                matching("zhash", HASH, "64 hexadecimal digits"));
    }

    /**
     * Reads one line.
     *
     * @param line without its line end
     * @throws ProtocolException if it is not UTF-8, not canonical JSON or not a record; the message says which
     */
    public static AuditLine parse(byte[] line) {
        try {
            var members = JsonValues.readObject(
                    UTF_8.newDecoder().decode(ByteBuffer.wrap(line)).toString());
            if (!Arrays.equals(CanonicalJson.write(members).getBytes(UTF_8), line)) {
                throw refused("it is JSON, but not in the canonical form of RFC 8785");
            }
            return new AuditLine(line.clone(), members);
        } catch (CharacterCodingException notText) {
            throw refused("it is not UTF-8");
        } catch (MalformedJsonException notJson) {
            throw refused(notJson.getMessage());
        }
    }

    public RecordType type() {
        return type;
    }

    /** Distinguishes the record: the correlation id with {@code -enter}, {@code -exit} or {@code -denied}, or a note's id. */
    public String id() {
        return required("id");
    }

    public long sequence() {
        return head.sequence();
    }

    public Instant time() {
        return time;
    }

    /** Where the chain stands with this line as its last one. */
    public ChainHead head() {
        return head;
    }

    /** What is wrong with the line's place behind the one before; empty if it belongs there. */
    public Optional<String> faultAfter(ChainHead before) {
        if (head.sequence() != before.sequence() + 1) {
            return Optional.of("its sequence is %d but must be %d".formatted(head.sequence(), before.sequence() + 1));
        }
        var hash = AuditChain.hashOf(line, before.hash());
        return hash.equals(head.hash())
                ? Optional.empty()
                : Optional.of("its hash is %s but must be %s".formatted(head.hash(), hash));
    }

    /** Whom the record is about: {@code /mcp/} and the server's name, or {@code /mcp-bridge}. */
    public String source() {
        return required("source");
    }

    /** The tool, prompt or resource; empty where there is none. */
    public Optional<String> subject() {
        return members.get("subject") instanceof String subject ? Optional.of(subject) : Optional.empty();
    }

    /** The trace that the call belongs to. */
    public TraceParent trace() {
        return members.get("traceparent") instanceof String trace ? TraceParent.read(trace) : TraceParent.NONE;
    }

    /** The text of a member of {@code data}, such as {@code tool}; empty where it is absent or no text. */
    public Optional<String> text(String key) {
        return data.get(key) instanceof String text ? Optional.of(text) : Optional.empty();
    }

    /** The number of a member of {@code data}, such as {@code durationMs}; empty where it is absent or no whole number. */
    public Optional<Long> number(String key) {
        return data.get(key) instanceof Long number ? Optional.of(number) : Optional.empty();
    }

    /** The members of {@code data}: texts, {@code Long}s, booleans and maps of them. */
    public Map<String, @Nullable Object> data() {
        return Collections.unmodifiableMap(data);
    }

    /** All members of the CloudEvent. */
    public Map<String, @Nullable Object> members() {
        return Collections.unmodifiableMap(members);
    }

    /** The line as it stands in the trail. */
    public String json() {
        return new String(line, UTF_8);
    }

    @Override
    public String toString() {
        return json();
    }

    static boolean isHash(String text) {
        return HASH.matcher(text).matches();
    }

    /** No other key may stand there: it could come behind the hash, which must be the last. */
    private void requireKeys() {
        for (var key : members.keySet()) {
            if (!KEYS.contains(key)) {
                throw refused("it has a member '%s' that no record has".formatted(key));
            }
        }
        for (var key : List.of("id", "source", "specversion", "datacontenttype")) {
            var unused = required(key);
        }
    }

    private String matching(String key, Pattern form, String rule) {
        var text = required(key);
        if (!form.matcher(text).matches()) {
            throw wrong(key, rule);
        }
        return text;
    }

    private String required(String key) {
        if (members.get(key) instanceof String text) {
            return text;
        }
        throw wrong(key, "a text");
    }

    private static Instant instant(String text) {
        try {
            return Instant.parse(text);
        } catch (DateTimeException notTime) {
            throw wrong("time", "a time of RFC 3339");
        }
    }

    private static ProtocolException wrong(String key, String rule) {
        return refused("'%s' must be %s".formatted(key, rule));
    }

    private static ProtocolException refused(@Nullable String why) {
        return ProtocolException.malformed(ErrorCode.PARSE_ERROR, "the line is no audit record: " + why);
    }
}
