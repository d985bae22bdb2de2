package io.mcpbridge.message;

import io.mcpbridge.failure.ErrorCode;
import io.mcpbridge.failure.ProtocolException;

/** Creates the exceptions of this package. Each message names the mistake, an excerpt of the input, and the rule. */
final class ProtocolErrors {

    private static final int LONGEST_EXCERPT = 24;

    private ProtocolErrors() {}

    /** The bytes are not JSON. */
    static ProtocolException syntax(byte[] json, int at, String expected) {
        if (at >= json.length) {
            return parse("The message ends at byte %d, where JSON has %s".formatted(json.length, expected));
        }
        return parse(
                "Found '%s' at byte %d, where JSON has %s".formatted(excerpt(json, at, json.length), at, expected));
    }

    /** The bytes are not UTF-8. */
    static ProtocolException encoding(byte[] json, int at) {
        return parse("Found '%s' at byte %d, which is not UTF-8; a message is UTF-8 without a byte order mark"
                .formatted(excerpt(json, at, Math.min(at + 4, json.length)), at));
    }

    /** The bytes are JSON but not a message. */
    static ProtocolException request(String message) {
        return ProtocolException.malformed(ErrorCode.INVALID_REQUEST, message);
    }

    /** A value is JSON but breaks the rule of its field. */
    static ProtocolException value(String name, byte[] json, int from, int to, String rule) {
        return request("'%s' is %s but must be %s".formatted(name, excerpt(json, from, to), rule));
    }

    /** A limit is exceeded. */
    static ProtocolException limit(String what, String limit, int value) {
        return request("%s; the limit %s is %d".formatted(what, limit, value));
    }

    /** A frame has too many bytes. */
    static ProtocolException tooLarge(Limits limits) {
        return limit(
                "too_large: the message has more than %d bytes".formatted(limits.maxBytes()),
                limits.frameKey(),
                limits.maxBytes());
    }

    /** The beginning of a range of a message; characters other than printable ASCII are escaped. */
    static String excerpt(byte[] json, int from, int to) {
        int end = Math.min(to, from + LONGEST_EXCERPT);
        var text = new StringBuilder();
        for (int i = from; i < end; i++) {
            append(text, json[i]);
        }
        return end < to ? text.append("...").toString() : text.toString();
    }

    private static void append(StringBuilder text, byte value) {
        if (value >= ' ' && value < 0x7F) {
            text.append((char) value);
        } else {
            text.append("\\x%02X".formatted(value & 0xFF));
        }
    }

    private static ProtocolException parse(String message) {
        return ProtocolException.malformed(ErrorCode.PARSE_ERROR, message);
    }
}
