package io.mcpbridge.cli.trail;

import io.mcpbridge.failure.ProtocolException;
import io.mcpbridge.tool.JsonObject;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** One record of a trail as it is to be shown. Whether it is genuine is the verifier's matter. Immutable. */
public final class TrailRecord {
    private static final String CALL = "io.mcpbridge.tool.call.";
    private static final String NOTE = "io.mcpbridge.audit.note";

    private final String json;
    private final Kind kind;
    private final Instant time;
    private final Map<String, ?> envelope;
    private final Map<?, ?> data;

    /** What a record tells of. */
    public enum Kind {
        /** A call begins. */
        ENTER,
        /** A call has ended. */
        EXIT,
        /** A call was not admitted. */
        DENIED,
        /** Something else. */
        NOTE
    }

    private TrailRecord(String json, Kind kind, Instant time, Map<String, ?> envelope, Map<?, ?> data) {
        this.json = json;
        this.kind = kind;
        this.time = time;
        this.envelope = envelope;
        this.data = data;
    }

    /** Reads a line; empty where it is no record. */
    static Optional<TrailRecord> read(String line) {
        try {
            var envelope = JsonObject.parse(line);
            if (!(envelope.get("data") instanceof Map<?, ?> data)) {
                return Optional.empty();
            }
            var time = Instant.parse(text(envelope, "time"));
            return kind(text(envelope, "type")).map(kind -> new TrailRecord(line, kind, time, envelope, data));
        } catch (ProtocolException | DateTimeException noRecord) {
            return Optional.empty();
        }
    }

    private static Optional<Kind> kind(String type) {
        return switch (type) {
            case CALL + "enter" -> Optional.of(Kind.ENTER);
            case CALL + "exit" -> Optional.of(Kind.EXIT);
            case CALL + "denied" -> Optional.of(Kind.DENIED);
            case NOTE -> Optional.of(Kind.NOTE);
            default -> Optional.empty();
        };
    }

    /** The line as it stands in the trail. */
    public String json() {
        return json;
    }

    public Kind kind() {
        return kind;
    }

    public Instant time() {
        return time;
    }

    /** The place in the trail, from 1; zero where the record says none. */
    public long sequence() {
        try {
            return Long.parseLong(text(envelope, "sequence"));
        } catch (NumberFormatException none) {
            return 0;
        }
    }

    /** The id of the call, the empty string for a note. */
    public String call() {
        return text("correlationId");
    }

    /** The words of a member of {@code data}; the empty string where it is not there. */
    String text(String key) {
        return text(data, key);
    }

    long number(String key) {
        return data.get(key) instanceof Long number ? number : 0;
    }

    /** The object at a member of {@code data}, empty where it is not there. */
    Map<?, ?> object(String key) {
        return data.get(key) instanceof Map<?, ?> object ? object : Map.of();
    }

    /** What it tells, in the order of the record. */
    Map<?, ?> data() {
        return data;
    }

    private static String text(Map<?, ?> members, String key) {
        @Nullable Object value = members.get(key);
        return value == null ? "" : value.toString();
    }
}
