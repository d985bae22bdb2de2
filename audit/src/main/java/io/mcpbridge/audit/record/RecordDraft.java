package io.mcpbridge.audit.record;

import io.mcpbridge.audit.internal.json.CanonicalJson;
import io.mcpbridge.audit.redact.Shown;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Map;
import java.util.TreeMap;

/** The members of one record while they are collected. */
final class RecordDraft {
    private static final DateTimeFormatter MICROS =
            DateTimeFormatter.ofPattern("uuuu-MM-dd'T'HH:mm:ss.SSSSSS'Z'").withZone(ZoneOffset.UTC);
    private static final String UNRESERVED = "-._~";

    private final TreeMap<String, Object> data = new TreeMap<>();
    private final TreeMap<String, Object> envelope = new TreeMap<>();

    RecordDraft(RecordType type, Instant time) {
        envelope.put("specversion", "1.0");
        envelope.put("source", "/mcp-bridge");
        envelope.put("type", type.word());
        envelope.put("time", MICROS.format(time));
    }

    /** Names the server that the record is about; the empty string is the bridge itself. */
    RecordDraft from(String server) {
        if (!server.isEmpty()) {
            envelope.put("source", "/mcp/" + percentEncoded(server));
        }
        return this;
    }

    /** Names the tool, prompt or resource. */
    RecordDraft about(String subject) {
        if (!subject.isEmpty()) {
            envelope.put("subject", subject);
        }
        return this;
    }

    RecordDraft put(String key, String value) {
        data.put(key, value);
        return this;
    }

    /** Puts a text where there is one. */
    RecordDraft putIfAny(String key, String value) {
        return value.isEmpty() ? this : put(key, value);
    }

    RecordDraft put(String key, long value) {
        data.put(key, value);
        return this;
    }

    /** Puts a text that may have been cut. */
    RecordDraft put(String key, Shown value) {
        return (value.truncated() ? flag("truncated") : this).put(key, value.text());
    }

    RecordDraft flag(String key) {
        data.put(key, true);
        return this;
    }

    RecordDraft put(String key, Map<String, String> value) {
        data.put(key, value);
        return this;
    }

    RecordBody body(String id) {
        var head = CanonicalJson.write(Map.of("data", data, "datacontenttype", "application/json", "id", id));
        var tail = CanonicalJson.write(envelope);
        return new RecordBody(head.substring(0, head.length() - 1) + ",\"sequence\":\"", "\"," + tail.substring(1));
    }

    private static String percentEncoded(String name) {
        var encoded = new StringBuilder(name.length());
        for (byte each : name.getBytes(StandardCharsets.UTF_8)) {
            if (Character.isLetterOrDigit(each) || UNRESERVED.indexOf(each) >= 0) {
                encoded.append((char) each);
            } else {
                encoded.append("%%%02X".formatted(each & 0xFF));
            }
        }
        return encoded.toString();
    }
}
