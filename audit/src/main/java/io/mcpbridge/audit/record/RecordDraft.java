package io.mcpbridge.audit.record;

import io.mcpbridge.audit.internal.json.JsonBytes;
import io.mcpbridge.audit.redact.Shown;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Map;

/** The members of one record while they are collected; used for one after the other. One thread at a time. */
final class RecordDraft {
    private static final byte[] BEFORE_SOURCE = ascii("0".repeat(RecordBody.DIGITS) + "\",\"source\":");
    private static final byte[] VERSION = ascii(",\"specversion\":\"1.0\"");
    private static final byte[] BEGINNING = ascii("{\"data\":{");
    private static final byte[] BEFORE_ID = ascii("},\"datacontenttype\":\"application/json\",\"id\":");
    private static final byte[] BEFORE_SEQUENCE = ascii(",\"sequence\":\"");
    private static final byte[] BEFORE_SUBJECT = ascii(",\"subject\":");
    private static final byte[] BEFORE_TIME = ascii(",\"time\":");
    private static final byte[] BEFORE_TYPE = ascii(",\"type\":");
    private static final String UNRESERVED = "-._~";

    private final Moments moments = new Moments();
    private final Members data = new Members();
    private final JsonBytes json = new JsonBytes();
    private RecordType type = RecordType.NOTE;
    private String time = "";
    private String source = "";
    private String subject = "";

    /** Begins another record. */
    RecordDraft begin(RecordType type, Instant time) {
        data.clear();
        this.type = type;
        this.time = moments.text(time);
        source = "/mcp-bridge";
        subject = "";
        return this;
    }

    /** Names the server that the record is about; the empty string is the bridge itself. */
    RecordDraft from(String server) {
        if (!server.isEmpty()) {
            source = "/mcp/" + (isPlain(server) ? server : percentEncoded(server));
        }
        return this;
    }

    /** Names the tool, prompt or resource. */
    RecordDraft about(String subject) {
        this.subject = subject;
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
        json.clear().raw(BEGINNING);
        data.write(json);
        json.raw(BEFORE_ID).text(id).raw(BEFORE_SEQUENCE);
        int sequence = json.size();
        json.raw(BEFORE_SOURCE).text(source).raw(VERSION);
        if (!subject.isEmpty()) {
            json.raw(BEFORE_SUBJECT).text(subject);
        }
        json.raw(BEFORE_TIME).text(time).raw(BEFORE_TYPE).text(type.word()).raw("}");
        return new RecordBody(json.copy(), sequence);
    }

    private static boolean isPlain(String name) {
        for (int i = 0; i < name.length(); i++) {
            if (!isUnreserved(name.charAt(i))) {
                return false;
            }
        }
        return true;
    }

    private static String percentEncoded(String name) {
        var encoded = new StringBuilder(name.length());
        for (byte each : name.getBytes(StandardCharsets.UTF_8)) {
            if (isUnreserved(each)) {
                encoded.append((char) each);
            } else {
                encoded.append("%%%02X".formatted(each & 0xFF));
            }
        }
        return encoded.toString();
    }

    private static boolean isUnreserved(int c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || UNRESERVED.indexOf(c) >= 0;
    }

    private static byte[] ascii(String text) {
        return text.getBytes(StandardCharsets.ISO_8859_1);
    }
}
