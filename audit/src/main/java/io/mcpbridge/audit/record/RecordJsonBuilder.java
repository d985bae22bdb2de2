package io.mcpbridge.audit.record;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.mcpbridge.call.TraceParent;
import io.mcpbridge.message.CanonicalJson;
import java.net.URLEncoder;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Arrays;
import java.util.Map;

/**
 * Builds the canonical JSON of records, faster than {@link CanonicalJson#RFC_8785} and with the same bytes. The members
 * of {@code data} must be added in the order of their keys. For one record and one thread.
 */
final class RecordJsonBuilder {
    private static final DateTimeFormatter SECONDS =
            DateTimeFormatter.ofPattern("uuuu-MM-dd'T'HH:mm:ss").withZone(ZoneOffset.UTC);

    private static final int MICROS = 1_000_000;
    private static final int NANOS_OF_MICRO = 1_000;

    /** The last used second; other times of that second differ in their fraction only. */
    private static volatile Second lastSecond = Second.of(0);

    /** The room for a record that is a little longer than the last one of its type. */
    private static final int SPARE_BYTES = 32;

    /** The length of the last exit and of the last other record; records of a kind are alike. */
    private static volatile int lastExit;

    private static volatile int lastOther;

    private byte[] bytes;
    private int size;
    private final RecordType type;
    private final Instant time;
    private final TraceParent trace;

    /** The key of the last member of {@code data}; empty before the first one. */
    private String lastKey = "";

    /** Begins a record; {@code trace} is the trace context of its call. */
    RecordJsonBuilder(RecordType type, Instant time, TraceParent trace) {
        this.type = type;
        this.bytes = new byte[(type == RecordType.EXIT ? lastExit : lastOther) + SPARE_BYTES];
        this.time = time;
        this.trace = trace;
        append("{\"data\":{");
    }

    RecordJsonBuilder put(String key, String value) {
        return beginMember(key).appendQuoted(value);
    }

    /** Adds a text unless it is empty. */
    RecordJsonBuilder putIfAny(String key, String value) {
        checkOrder(key);
        return value.isEmpty() ? this : put(key, value);
    }

    RecordJsonBuilder put(String key, long value) {
        return beginMember(key).append(Long.toString(value));
    }

    /** Adds the member {@code true} if the flag is set. */
    RecordJsonBuilder flag(String key, boolean isSet) {
        checkOrder(key);
        return isSet ? beginMember(key).append("true") : this;
    }

    RecordJsonBuilder put(String key, Map<String, String> value) {
        return beginMember(key).append(CanonicalJson.RFC_8785.write(value).getBytes(UTF_8));
    }

    RecordJsonBuilder putPrincipal(String name, String proof) {
        return beginMember("principal")
                .append("{\"name\":")
                .appendQuoted(name)
                .append(",\"proof\":")
                .appendQuoted(proof)
                .append("}");
    }

    private void checkOrder(String key) {
        if (key.compareTo(lastKey) <= 0) {
            throw new IllegalStateException("'%s' must come before '%s'".formatted(key, lastKey));
        }
    }

    private RecordJsonBuilder beginMember(String key) {
        checkOrder(key);
        append(lastKey.isEmpty() ? "\"" : ",\"").append(key).append("\":");
        lastKey = key;
        return this;
    }

    /**
     * Ends the record.
     *
     * @param server the server that the record is about; empty for the bridge itself
     * @param subject the tool, prompt or resource; empty if there is none
     */
    RecordBody body(String id, String server, String subject) {
        append("},\"datacontenttype\":\"application/json\",\"id\":")
                .appendQuoted(id)
                .append(",\"sequence\":\"");
        int sequence = size;
        append(RecordBody.NO_SEQUENCE)
                .append("\",\"source\":")
                .appendQuoted(source(server))
                .append(",\"specversion\":\"1.0\"");
        if (!subject.isEmpty()) {
            append(",\"subject\":").appendQuoted(subject);
        }
        append(",\"time\":\"").append(time).append("\"");
        if (trace.isPresent()) {
            append(",\"traceparent\":\"").append(trace.text()).append("\"");
        }
        append(",\"type\":\"").append(type.word()).append("\"}");
        if (type == RecordType.EXIT) {
            lastExit = size;
        } else {
            lastOther = size;
        }
        return new RecordBody(bytes, size, sequence);
    }

    private static String source(String server) {
        if (server.isEmpty()) {
            return "/mcp-bridge";
        }
        return "/mcp/" + (isUnreserved(server) ? server : escaped(server));
    }

    /** Whether a name has only characters that a URI has unescaped; most names do. */
    private static boolean isUnreserved(String name) {
        for (int i = 0; i < name.length(); i++) {
            char c = name.charAt(i);
            if (c >= 0x7F || !(Character.isLetterOrDigit(c) || c == '-' || c == '_')) {
                return false;
            }
        }
        return true;
    }

    private static String escaped(String server) {
        // RFC 3986 escapes '*' and not '~'; forms do it the other way round.
        return URLEncoder.encode(server, UTF_8)
                .replace("+", "%20")
                .replace("*", "%2A")
                .replace("%7E", "~");
    }

    private RecordJsonBuilder appendQuoted(String text) {
        return isPlain(text)
                ? append("\"").append(text).append("\"")
                : append(CanonicalJson.RFC_8785.write(text).getBytes(UTF_8));
    }

    /** Appends a time in the form of RFC 3339, in UTC and with microseconds. */
    private RecordJsonBuilder append(Instant moment) {
        var second = lastSecond;
        if (moment.getEpochSecond() != second.epochSecond) {
            second = Second.of(moment.getEpochSecond());
            lastSecond = second;
        }
        append(second.text);
        int point = size;
        // The added leading digit keeps the zeros of the fraction, and its place is that of the point.
        append(Integer.toString(MICROS + moment.getNano() / NANOS_OF_MICRO));
        bytes[point] = '.';
        return append("Z");
    }

    @SuppressWarnings("deprecation") // It drops the upper half of each character, which ASCII does not have.
    private RecordJsonBuilder append(String ascii) {
        int length = ascii.length();
        makeRoom(length);
        ascii.getBytes(0, length, bytes, size);
        size += length;
        return this;
    }

    private RecordJsonBuilder append(byte[] utf8) {
        makeRoom(utf8.length);
        System.arraycopy(utf8, 0, bytes, size, utf8.length);
        size += utf8.length;
        return this;
    }

    private void makeRoom(int more) {
        if (size + more > bytes.length) {
            bytes = Arrays.copyOf(bytes, size + Math.max(more, bytes.length / 2));
        }
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

    private record Second(long epochSecond, String text) {
        static Second of(long epochSecond) {
            return new Second(epochSecond, SECONDS.format(Instant.ofEpochSecond(epochSecond)));
        }
    }
}
