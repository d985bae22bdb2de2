package io.mcpbridge.audit.record;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.mcpbridge.call.TraceParent;
import io.mcpbridge.message.CanonicalJson;
import java.net.URLEncoder;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Map;
import java.util.TreeMap;

/**
 * Writes records one after another, in the form that {@link CanonicalJson#RFC_8785} writes too, but faster. The members of
 * {@code data} may be put in any order; the record has them sorted. For one thread.
 */
final class RecordDraft {
    private static final DateTimeFormatter SECONDS =
            DateTimeFormatter.ofPattern("uuuu-MM-dd'T'HH:mm:ss").withZone(ZoneOffset.UTC);

    private static final int MICROS = 1_000_000;
    private static final int NANOS_OF_MICRO = 1_000;

    private final StringBuilder json = new StringBuilder(2_048);
    private RecordType type = RecordType.NOTE;
    private String time = "";
    private TraceParent trace = TraceParent.NONE;

    /** The members of {@code data}, each value as JSON. */
    private final TreeMap<String, String> data = new TreeMap<>();

    /** Times of one second differ in their fraction only. */
    private long second = Long.MIN_VALUE;

    private String secondText = "";

    /** Begins a record. */
    RecordDraft begin(RecordType newType, Instant newTime) {
        type = newType;
        time = text(newTime);
        trace = TraceParent.NONE;
        data.clear();
        return this;
    }

    /** The time in RFC 3339 and UTC, to the microsecond. */
    private String text(Instant moment) {
        if (moment.getEpochSecond() != second) {
            second = moment.getEpochSecond();
            secondText = SECONDS.format(moment);
        }
        // A digit before the others keeps their zeros.
        var micros = Integer.toString(MICROS + moment.getNano() / NANOS_OF_MICRO);
        return secondText + '.' + micros.substring(1) + 'Z';
    }

    /** The trace of the call. */
    RecordDraft within(TraceParent newTrace) {
        trace = newTrace;
        return this;
    }

    RecordDraft put(String key, String value) {
        return putJson(key, quoted(value));
    }

    /** Puts a text unless it is empty. */
    RecordDraft putIfAny(String key, String value) {
        return value.isEmpty() ? this : put(key, value);
    }

    RecordDraft put(String key, long value) {
        return putJson(key, CanonicalJson.RFC_8785.write(value));
    }

    /** Puts {@code true}, or nothing. */
    RecordDraft flag(String key, boolean isSet) {
        return isSet ? putJson(key, "true") : this;
    }

    RecordDraft put(String key, Map<String, String> value) {
        return putJson(key, CanonicalJson.RFC_8785.write(value));
    }

    private RecordDraft putJson(String key, String value) {
        data.put(key, value);
        return this;
    }

    /**
     * Ends the record.
     *
     * @param server that it is about; the empty string is the bridge itself
     * @param subject the tool, prompt or resource; the empty string where there is none
     */
    RecordBody body(String id, String server, String subject) {
        json.setLength(0);
        var separator = "{\"data\":{\"";
        for (var member : data.entrySet()) {
            json.append(separator).append(member.getKey()).append("\":").append(member.getValue());
            separator = ",\"";
        }
        json.append("},\"datacontenttype\":\"application/json\",\"id\":").append(quoted(id));
        json.append(",\"sequence\":\"");
        int sequence = json.length();
        json.append(RecordBody.NO_SEQUENCE).append("\",\"source\":").append(quoted(source(server)));
        json.append(",\"specversion\":\"1.0\"");
        if (!subject.isEmpty()) {
            json.append(",\"subject\":").append(quoted(subject));
        }
        json.append(",\"time\":\"").append(time).append('"');
        if (trace.isPresent()) {
            json.append(",\"traceparent\":\"").append(trace.text()).append('"');
        }
        json.append(",\"type\":\"").append(type.word()).append("\"}");
        var bytes = json.toString().getBytes(UTF_8);
        boolean isAscii = bytes.length == json.length();
        return new RecordBody(
                bytes,
                isAscii ? sequence : bytes.length - json.substring(sequence).getBytes(UTF_8).length);
    }

    private static String source(String server) {
        // RFC 3986 escapes '*' and not '~'; forms do it the other way round.
        return server.isEmpty()
                ? "/mcp-bridge"
                : "/mcp/"
                        + URLEncoder.encode(server, UTF_8)
                                .replace("+", "%20")
                                .replace("*", "%2A")
                                .replace("%7E", "~");
    }

    private static String quoted(String text) {
        return isPlain(text) ? '"' + text + '"' : CanonicalJson.RFC_8785.write(text);
    }

    private static boolean isPlain(String text) {
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c < ' ' || c >= 0x7F || c == '"' || c == '\\') {
                return false;
            }
        }
        return true;
    }
}
