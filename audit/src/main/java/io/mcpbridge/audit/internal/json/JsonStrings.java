package io.mcpbridge.audit.internal.json;

/** Reads what stands in JSON strings, and writes them as RFC 8785 wants it. */
public final class JsonStrings {
    private static final String HEX = "0123456789abcdef";

    private JsonStrings() {}

    /** What a checked string between its quotes means; a surrogate escape that stands alone becomes that surrogate. */
    static String decode(String json, int from, int to) {
        // Not indexOf, which would look at all that stands behind.
        int escape = from;
        while (escape < to && json.charAt(escape) != '\\') {
            escape++;
        }
        if (escape == to) {
            return json.substring(from, to);
        }
        var text = new StringBuilder(to - from);
        int at = from;
        while (at < to) {
            char c = json.charAt(at++);
            if (c != '\\') {
                text.append(c);
                continue;
            }
            char kind = json.charAt(at++);
            text.append(kind == 'u' ? (char) Integer.parseInt(json, at, at + 4, 16) : unescaped(kind));
            at += kind == 'u' ? 4 : 0;
        }
        return text.toString();
    }

    /**
     * What the beginning of a string that was cut means, without its quote; an escape through which the cut goes is left
     * out, and so is what follows something that JSON does not allow.
     */
    public static String decodeBeginning(String json, int from) {
        return decode(json, from, wholeEnd(json, from));
    }

    /** Whether a string, from behind its quote on, is as JSON has it but for its end, which is missing. */
    public static boolean isCut(String json, int from) {
        int end = wholeEnd(json, from);
        return end == json.length() || (json.charAt(end) == '\\' && json.length() - end < "\\u0000".length());
    }

    private static int wholeEnd(String json, int from) {
        int at = from;
        while (at < json.length() && json.charAt(at) >= ' ' && json.charAt(at) != '"') {
            int next = json.charAt(at) == '\\' ? escapeEnd(json, at) : at + 1;
            if (next == at) {
                return at;
            }
            at = next;
        }
        return at;
    }

    /** Where an escape ends; its beginning if it is none or is cut. */
    private static int escapeEnd(String json, int backslash) {
        int kind = backslash + 1 < json.length() ? "\"\\/bfnrtu".indexOf(json.charAt(backslash + 1)) : -1;
        if (kind < 0) {
            return backslash;
        }
        if (json.charAt(backslash + 1) != 'u') {
            return backslash + 2;
        }
        for (int at = backslash + 2; at < backslash + 6; at++) {
            if (at >= json.length() || json.charAt(at) > 'f' || Character.digit(json.charAt(at), 16) < 0) {
                return backslash;
            }
        }
        return backslash + 6;
    }

    private static char unescaped(char kind) {
        return switch (kind) {
            case 'b' -> '\b';
            case 'f' -> '\f';
            case 'n' -> '\n';
            case 'r' -> '\r';
            case 't' -> '\t';
            default -> kind;
        };
    }

    /**
     * Appends a text in quotes: only quotes, backslashes and characters below the space are escaped.
     *
     * @throws MalformedJsonException if a surrogate stands alone, which has no UTF-8 form
     */
    public static void append(StringBuilder json, String text) {
        json.append('"');
        int plain = 0;
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c < ' ' || c == '"' || c == '\\') {
                json.append(text, plain, i);
                escape(json, c);
                plain = i + 1;
            } else if (Character.isSurrogate(c)) {
                i = afterPair(text, i);
            }
        }
        json.append(text, plain, text.length()).append('"');
    }

    private static int afterPair(String text, int at) {
        if (Character.isHighSurrogate(text.charAt(at))
                && at + 1 < text.length()
                && Character.isLowSurrogate(text.charAt(at + 1))) {
            return at + 1;
        }
        throw new MalformedJsonException("a surrogate stands alone at character %d of a text".formatted(at));
    }

    private static void escape(StringBuilder json, char c) {
        switch (c) {
            case '"', '\\' -> json.append('\\').append(c);
            case '\b' -> json.append("\\b");
            case '\f' -> json.append("\\f");
            case '\n' -> json.append("\\n");
            case '\r' -> json.append("\\r");
            case '\t' -> json.append("\\t");
            default -> unicode(json, c);
        }
    }

    /** Appends the escape of one UTF-16 unit with its four digits, lower case. */
    public static void unicode(StringBuilder json, char c) {
        json.append("\\u");
        for (int shift = 12; shift >= 0; shift -= 4) {
            json.append(HEX.charAt((c >> shift) & 0xF));
        }
    }
}
