package io.mcpbridge.audit.record;

import io.mcpbridge.audit.internal.json.JsonBytes;
import io.mcpbridge.call.TraceParent;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Map;

/**
 * Writes one record after the other, each from its beginning to its end: members come in the order of {@link Member}. One
 * thread at a time.
 */
final class RecordDraft {
    private static final byte[] BEFORE_SOURCE = ascii("0".repeat(RecordBody.DIGITS) + "\",\"source\":");
    private static final byte[] VERSION = ascii(",\"specversion\":\"1.0\"");
    private static final byte[] BEGINNING = ascii("{\"data\":{");
    private static final byte[] BEFORE_ID = ascii("},\"datacontenttype\":\"application/json\",\"id\":");
    private static final byte[] BEFORE_SEQUENCE = ascii(",\"sequence\":\"");
    private static final byte[] BEFORE_SUBJECT = ascii(",\"subject\":");
    private static final byte[] BEFORE_TIME = ascii(",\"time\":");
    private static final byte[] BEFORE_TRACE = ascii(",\"traceparent\":");
    private static final byte[] BEFORE_TYPE = ascii(",\"type\":");
    private static final byte[] NAME = ascii("{\"name\":");
    private static final byte[] PROOF = ascii(",\"proof\":");
    private static final byte[] END = ascii("}");
    private static final String UNRESERVED = "-._~";

    private static final int NONE = -1;

    private final Moments moments = new Moments();
    private final JsonBytes json = new JsonBytes();
    private RecordType type = RecordType.NOTE;
    private String time = "";
    private TraceParent trace = TraceParent.NONE;
    private int latest = NONE;

    /** Begins another record. */
    RecordDraft begin(RecordType type, Instant time) {
        this.type = type;
        this.time = moments.text(time);
        trace = TraceParent.NONE;
        latest = NONE;
        json.clear().raw(BEGINNING);
        return this;
    }

    /** The trace that what the record is about belongs to. */
    RecordDraft within(TraceParent newTrace) {
        trace = newTrace;
        return this;
    }

    RecordDraft put(Member member, String value) {
        name(member).text(value);
        return this;
    }

    /** Puts a text that needs no escape, such as a hash. */
    RecordDraft putPlain(Member member, String value) {
        name(member).plain(value);
        return this;
    }

    /** Puts a text where there is one. */
    RecordDraft putIfAny(Member member, String value) {
        return value.isEmpty() ? this : put(member, value);
    }

    RecordDraft put(Member member, long value) {
        name(member).value(value);
        return this;
    }

    /** Puts {@code true}, or nothing. */
    RecordDraft flag(Member member, boolean isSet) {
        if (isSet) {
            name(member).value(true);
        }
        return this;
    }

    RecordDraft put(Member member, Map<String, String> value) {
        name(member).value(value);
        return this;
    }

    RecordDraft put(Member member, String principal, String proof) {
        name(member).raw(NAME).text(principal).raw(PROOF).text(proof).raw(END);
        return this;
    }

    @SuppressWarnings("EnumOrdinal") // Keeping the number is cheaper than keeping the member, many times a record.
    private JsonBytes name(Member member) {
        if (member.ordinal() <= latest) {
            throw new IllegalStateException("'%s' comes behind '%s', which canonical JSON has after it"
                    .formatted(member.key(), Member.values()[latest].key()));
        }
        var isFirst = latest == NONE;
        latest = member.ordinal();
        return json.raw(isFirst ? member.first() : member.next());
    }

    /** The record of something that belongs to no call. */
    RecordBody body(String id) {
        return body(id, "", "", "");
    }

    /**
     * The record.
     *
     * @param suffix of the id, in plain ASCII
     * @param server that it is about; the empty string is the bridge itself
     * @param subject the tool, prompt or resource; the empty string where there is none
     */
    RecordBody body(String id, String suffix, String server, String subject) {
        json.raw(BEFORE_ID).text(id, suffix).raw(BEFORE_SEQUENCE);
        int sequence = json.size();
        json.raw(BEFORE_SOURCE).text(source(server)).raw(VERSION);
        if (!subject.isEmpty()) {
            json.raw(BEFORE_SUBJECT).text(subject);
        }
        json.raw(BEFORE_TIME).plain(time);
        if (trace.isPresent()) {
            json.raw(BEFORE_TRACE).plain(trace.text());
        }
        json.raw(BEFORE_TYPE).plain(type.word()).raw(END);
        return new RecordBody(json.copy(), sequence);
    }

    private static String source(String server) {
        return server.isEmpty() ? "/mcp-bridge" : "/mcp/" + (isPlain(server) ? server : percentEncoded(server));
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
