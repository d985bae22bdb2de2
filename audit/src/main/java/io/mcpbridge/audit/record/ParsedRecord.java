package io.mcpbridge.audit.record;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.mcpbridge.call.TraceParent;
import io.mcpbridge.failure.ErrorCode;
import io.mcpbridge.failure.ProtocolException;
import io.mcpbridge.message.CanonicalJson;
import io.mcpbridge.tool.Json;
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
 * A parsed line of a trail, checked without its neighbors. Immutable.
 *
 * <p>{@link #faultAfter} checks its place in the chain.
 */
public final class ParsedRecord {
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

    private ParsedRecord(byte[] line, Map<String, @Nullable Object> members) {
        this.line = line;
        this.members = members;
        requireKeys();
        this.data = object("data");
        this.type = RecordType.of(required("type")).orElseThrow(() -> wrong("type", "one of the four of this trail"));
        this.time = instant(required("time"));
        this.head = new ChainHead(
                Long.parseLong(matching("sequence", SEQUENCE, "20 digits that begin with 00")),
                matching("zhash", HASH, "64 hexadecimal digits"));
    }

    /**
     * Parses one line.
     *
     * @param line the bytes of the line without its line end
     * @throws ProtocolException if it is not UTF-8, not canonical JSON or not a record; the message says which
     */
    public static ParsedRecord parse(byte[] line) {
        var members = members(line);
        if (!Arrays.equals(canonical(members), line)) {
            throw refused("it is JSON, but not in the canonical form of RFC 8785");
        }
        return new ParsedRecord(line.clone(), members);
    }

    private static Map<String, @Nullable Object> members(byte[] line) {
        try {
            var text = UTF_8.newDecoder().decode(ByteBuffer.wrap(line)).toString();
            return Json.parse(text).asMap();
        } catch (CharacterCodingException e) {
            throw refused("it is not UTF-8");
        } catch (ProtocolException e) {
            throw refused(e.getMessage());
        }
    }

    private static byte[] canonical(Map<String, @Nullable Object> members) {
        try {
            return CanonicalJson.RFC_8785.write(members).getBytes(UTF_8);
        } catch (IllegalArgumentException e) {
            throw refused(e.getMessage());
        }
    }

    public RecordType type() {
        return type;
    }

    /**
     * The id of the record: the correlation id with {@code -enter}, {@code -exit} or {@code -denied}, or the id of a
     * note.
     */
    public String id() {
        return required("id");
    }

    public long sequence() {
        return head.sequence();
    }

    public Instant time() {
        return time;
    }

    /** The head of the chain with this line as its last one. */
    public ChainHead head() {
        return head;
    }

    /** The fault of the line if it follows this head of the chain; empty if it belongs there. */
    public Optional<String> faultAfter(ChainHead before) {
        if (head.sequence() != before.sequence() + 1) {
            return Optional.of("its sequence is %d but must be %d".formatted(head.sequence(), before.sequence() + 1));
        }
        var hash = AuditChain.hashOf(line, before.hash());
        return hash.equals(head.hash())
                ? Optional.empty()
                : Optional.of("its hash is %s but must be %s".formatted(head.hash(), hash));
    }

    /** The tool, prompt or resource; empty if there is none. */
    public Optional<String> subject() {
        return members.get("subject") instanceof String subject ? Optional.of(subject) : Optional.empty();
    }

    /** The trace context of the call. */
    public TraceParent trace() {
        return members.get("traceparent") instanceof String trace ? TraceParent.read(trace) : TraceParent.NONE;
    }

    /** The text of a member of {@code data}, such as {@code tool}; empty if it is absent or not a text. */
    public Optional<String> text(String key) {
        return data.get(key) instanceof String text ? Optional.of(text) : Optional.empty();
    }

    /**
     * The text of a member of an object in {@code data}, such as {@code name} of {@code principal}; empty if there is
     * none.
     */
    public Optional<String> text(String key, String member) {
        return data.get(key) instanceof Map<?, ?> members && members.get(member) instanceof String text
                ? Optional.of(text)
                : Optional.empty();
    }

    /** The number of a member of {@code data}, such as {@code durationMs}; empty if it is absent or not an integer. */
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

    /** The line as it is in the trail. */
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

    /** Rejects other keys: one could sort after the hash, which must be the last member. */
    private void requireKeys() {
        for (var key : members.keySet()) {
            if (!KEYS.contains(key)) {
                throw refused("it has a member '%s' that records do not have".formatted(key));
            }
        }
        for (var key : List.of("id", "source", "specversion", "datacontenttype")) {
            var unused = required(key);
        }
    }

    @SuppressWarnings("unchecked") // A JSON object has texts as keys.
    private Map<String, @Nullable Object> object(String key) {
        if (members.get(key) instanceof Map<?, ?> object) {
            return (Map<String, @Nullable Object>) object;
        }
        throw wrong(key, "an object");
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
        } catch (DateTimeException e) {
            throw wrong("time", "a time of RFC 3339");
        }
    }

    private static ProtocolException wrong(String key, String rule) {
        return refused("'%s' must be %s".formatted(key, rule));
    }

    private static ProtocolException refused(@Nullable String why) {
        return ProtocolException.malformed(ErrorCode.PARSE_ERROR, "the line is not an audit record: " + why);
    }
}
