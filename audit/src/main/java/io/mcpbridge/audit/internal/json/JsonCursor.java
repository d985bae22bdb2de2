package io.mcpbridge.audit.internal.json;

import java.util.BitSet;

/**
 * Goes over a JSON text token by token and tells where each one stands. One thread at a time.
 *
 * <p>Checks the whole grammar. It needs time in proportion to the text and one bit per level, so that nesting can
 * exhaust nothing.
 */
public final class JsonCursor {

    /** What the cursor has passed. */
    public enum Token {
        OBJECT,
        END_OBJECT,
        ARRAY,
        END_ARRAY,
        KEY,
        STRING,
        NUMBER,
        LITERAL,
        END
    }

    /** What may come next. */
    private enum Expected {
        VALUE,
        VALUE_OR_END,
        KEY,
        KEY_OR_END,
        COLON,
        COMMA_OR_END,
        NOTHING
    }

    private final String json;
    private final BitSet isObject = new BitSet();
    private Expected expected = Expected.VALUE;
    private int depth;
    private int start;
    private int end;

    public JsonCursor(String json) {
        this.json = json;
    }

    /** Where the token begins. */
    public int start() {
        return start;
    }

    /** Where the token ends: the position behind its last character. */
    public int end() {
        return end;
    }

    /** How many objects and arrays are open. */
    public int depth() {
        return depth;
    }

    /** The token as it stands in the text. */
    public String raw() {
        return json.substring(start, end);
    }

    /** The text that a key or a string means. */
    public String text() {
        return JsonStrings.decode(json, start + 1, end - 1);
    }

    /**
     * Passes one more token.
     *
     * @throws MalformedJsonException if there is none in JSON's grammar
     */
    public Token next() {
        start = space(end);
        if (expected == Expected.COMMA_OR_END && charAt(start) == ',') {
            expected = isObject.get(depth) ? Expected.KEY : Expected.VALUE;
            start = space(start + 1);
        } else if (expected == Expected.COLON) {
            expected = Expected.VALUE;
            start = space(colon(start));
        }
        var at = charAt(start);
        return switch (expected) {
            case NOTHING -> end(at);
            case VALUE -> value(at);
            case VALUE_OR_END -> at == ']' ? close(Token.END_ARRAY) : value(at);
            case KEY -> key();
            case KEY_OR_END -> at == '}' ? close(Token.END_OBJECT) : key();
            case COMMA_OR_END, COLON -> closeAs(at);
        };
    }

    private Token end(char at) {
        if (start < json.length()) {
            throw MalformedJsonException.at(start, "the end of the text, not '" + at + "'");
        }
        end = start;
        return Token.END;
    }

    private Token closeAs(char at) {
        if (at == '}' && isObject.get(depth)) {
            return close(Token.END_OBJECT);
        }
        if (at == ']' && !isObject.get(depth)) {
            return close(Token.END_ARRAY);
        }
        throw MalformedJsonException.at(start, isObject.get(depth) ? "',' or '}'" : "',' or ']'");
    }

    private Token close(Token token) {
        depth--;
        return pass(token, start + 1);
    }

    private Token open(Token token) {
        depth++;
        isObject.set(depth, token == Token.OBJECT);
        expected = token == Token.OBJECT ? Expected.KEY_OR_END : Expected.VALUE_OR_END;
        end = start + 1;
        return token;
    }

    private Token key() {
        end = string(start);
        expected = Expected.COLON;
        return Token.KEY;
    }

    private int colon(int at) {
        if (charAt(at) != ':') {
            throw MalformedJsonException.at(at, "':'");
        }
        return at + 1;
    }

    private Token value(char at) {
        return switch (at) {
            case '{' -> open(Token.OBJECT);
            case '[' -> open(Token.ARRAY);
            case '"' -> pass(Token.STRING, string(start));
            case 't' -> pass(Token.LITERAL, literal("true"));
            case 'f' -> pass(Token.LITERAL, literal("false"));
            case 'n' -> pass(Token.LITERAL, literal("null"));
            default -> pass(Token.NUMBER, number(start));
        };
    }

    private Token pass(Token token, int to) {
        end = to;
        expected = depth == 0 ? Expected.NOTHING : Expected.COMMA_OR_END;
        return token;
    }

    private int space(int from) {
        int at = from;
        while (at < json.length() && json.charAt(at) <= ' ' && " \t\r\n".indexOf(json.charAt(at)) >= 0) {
            at++;
        }
        return at;
    }

    private int literal(String word) {
        if (!json.startsWith(word, start)) {
            throw MalformedJsonException.at(start, "a value");
        }
        return start + word.length();
    }

    private int string(int quote) {
        if (charAt(quote) != '"') {
            throw MalformedJsonException.at(quote, "a key or a text in double quotes");
        }
        for (int at = quote + 1; at < json.length(); at++) {
            char c = json.charAt(at);
            if (c == '"') {
                return at + 1;
            }
            if (c < ' ') {
                throw MalformedJsonException.at(at, "no control character");
            }
            if (c == '\\') {
                at = escape(at);
            }
        }
        throw MalformedJsonException.at(json.length(), "the end of a text");
    }

    /** Passes an escape, and returns the position of its last character. */
    private int escape(int backslash) {
        char kind = charAt(backslash + 1);
        if (kind == 'u') {
            for (int at = backslash + 2; at < backslash + 6; at++) {
                if (Character.digit(charAt(at), 16) < 0 || charAt(at) > 'f') {
                    throw MalformedJsonException.at(at, "a hexadecimal digit");
                }
            }
            return backslash + 5;
        }
        if (kind == 0 || "\"\\/bfnrt".indexOf(kind) < 0) {
            throw MalformedJsonException.at(backslash, "one of JSON's escapes");
        }
        return backslash + 1;
    }

    private int number(int from) {
        int at = charAt(from) == '-' ? from + 1 : from;
        at = charAt(at) == '0' ? at + 1 : digits(at);
        if (charAt(at) == '.') {
            at = digits(at + 1);
        }
        if (charAt(at) == 'e' || charAt(at) == 'E') {
            int sign = charAt(at + 1);
            at = digits(sign == '+' || sign == '-' ? at + 2 : at + 1);
        }
        return at;
    }

    private int digits(int from) {
        int at = from;
        while (charAt(at) >= '0' && charAt(at) <= '9') {
            at++;
        }
        if (at == from) {
            throw MalformedJsonException.at(from, "a value");
        }
        return at;
    }

    /** The character here, or 0, which stands nowhere in JSON, at the end of the text. */
    private char charAt(int at) {
        return at < json.length() ? json.charAt(at) : 0;
    }
}
