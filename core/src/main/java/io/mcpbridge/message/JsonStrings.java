package io.mcpbridge.message;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.mcpbridge.failure.ProtocolException;
import java.util.HexFormat;

/**
 * Writes and reads JSON string literals.
 *
 * <p>Whole JSON values are read and written by an internal JSON library.
 */
public final class JsonStrings {

    private JsonStrings() {}

    /**
     * Writes a text as a JSON string, with quotes.
     *
     * <p>Escapes the characters that JSON requires and lone surrogates, which have no UTF-8 form. Each text has exactly
     * one quoted form.
     */
    public static String quote(String text) {
        var quoted = new StringBuilder(text.length() + 16).append('"');
        for (int i = 0; i < text.length(); i++) {
            append(quoted, text, i);
        }
        return quoted.append('"').toString();
    }

    /**
     * Reads a JSON string, with quotes. The escape of a lone surrogate becomes that surrogate.
     *
     * @throws IllegalArgumentException if the token is not a JSON string
     */
    public static String decode(String token) {
        byte[] bytes = token.getBytes(UTF_8);
        if (!isString(bytes)) {
            throw new IllegalArgumentException("'%s' is not a JSON string; it must be text in double quotes"
                    .formatted(ProtocolErrors.excerpt(bytes, 0, bytes.length)));
        }
        return decode(bytes, 1, bytes.length - 1);
    }

    /** Decodes the text between the quotes of a JSON string that was checked before. */
    static String decode(byte[] json, int from, int to) {
        String text = new String(json, from, to - from, UTF_8);
        return text.indexOf('\\') < 0 ? text : withoutEscapes(text);
    }

    /** Whether the text has no lone surrogate and therefore has a UTF-8 form. */
    static boolean isWellFormed(String text) {
        for (int i = 0; i < text.length(); i++) {
            if (isAlone(text, i)) {
                return false;
            }
        }
        return true;
    }

    /** Whether a JSON text contains the escape of a lone surrogate. Many readers reject a whole list because of one. */
    public static boolean hasLoneSurrogate(String json) {
        boolean isHigh = false;
        int at = json.indexOf('\\');
        while (at >= 0) {
            boolean isUnit = json.startsWith("u", at + 1);
            int unit = isUnit ? Integer.parseInt(json, at + 2, at + 6, 16) : 0;
            at += isUnit ? 6 : 2;
            if (isHigh != (Character.MIN_LOW_SURROGATE <= unit && unit <= Character.MAX_LOW_SURROGATE)) {
                return true;
            }
            isHigh = Character.MIN_HIGH_SURROGATE <= unit && unit <= Character.MAX_HIGH_SURROGATE;
            if (isHigh && !json.startsWith("\\u", at)) {
                return true;
            }
            at = json.indexOf('\\', at);
        }
        return false;
    }

    private static boolean isString(byte[] bytes) {
        try {
            return bytes.length > 1 && bytes[0] == '"' && new JsonTokenChecker(bytes).string(0) == bytes.length;
        } catch (ProtocolException e) {
            return false;
        }
    }

    private static void append(StringBuilder quoted, String text, int index) {
        char c = text.charAt(index);
        if (c == '"' || c == '\\') {
            quoted.append('\\').append(c);
        } else if (c < ' ' || isAlone(text, index)) {
            quoted.append("\\u").append(HexFormat.of().toHexDigits(c));
        } else {
            quoted.append(c);
        }
    }

    private static boolean isAlone(String text, int index) {
        char c = text.charAt(index);
        if (Character.isHighSurrogate(c)) {
            return index + 1 == text.length() || !Character.isLowSurrogate(text.charAt(index + 1));
        }
        return Character.isLowSurrogate(c) && (index == 0 || !Character.isHighSurrogate(text.charAt(index - 1)));
    }

    private static String withoutEscapes(String text) {
        var plain = new StringBuilder(text.length());
        int at = 0;
        while (at < text.length()) {
            char c = text.charAt(at++);
            if (c != '\\') {
                plain.append(c);
                continue;
            }
            char escape = text.charAt(at++);
            plain.append(escape == 'u' ? (char) Integer.parseInt(text, at, at + 4, 16) : unescaped(escape));
            at += escape == 'u' ? 4 : 0;
        }
        return plain.toString();
    }

    private static char unescaped(char escape) {
        return switch (escape) {
            case 'b' -> '\b';
            case 'f' -> '\f';
            case 'n' -> '\n';
            case 'r' -> '\r';
            case 't' -> '\t';
            default -> escape;
        };
    }
}
