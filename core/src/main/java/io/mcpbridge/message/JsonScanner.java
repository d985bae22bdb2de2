package io.mcpbridge.message;

import java.util.Arrays;

/**
 * Skips JSON values and checks their grammar, without building objects.
 *
 * <p>Each method takes the start position of a token or value and returns the position after it. Line ends between
 * tokens are replaced by spaces in place. A scanner counts the tokens of one message, so each message needs a new one.
 */
final class JsonScanner {

    private static final int MAX_KEY_BYTES = 1024;
    private static final boolean[] NONE = {};
    private static final int FEW = 16;

    private final byte[] json;
    private final Limits limits;
    private final JsonTokenChecker tokens;
    private int passed;
    private int depth;
    private boolean[] isObject = NONE;

    JsonScanner(byte[] json, Limits limits) {
        this.json = json;
        this.limits = limits;
        this.tokens = new JsonTokenChecker(json);
    }

    /** The byte at this position, or 0 at the end of the message. */
    byte byteAt(int at) {
        return tokens.byteAt(at);
    }

    /** Skips white space between tokens. */
    int space(int from) {
        return tokens.space(from);
    }

    /** Reads an object and passes each of its members to a visitor. */
    int object(int open, int depthInside, MemberVisitor visitor) {
        count();
        requireDepth(depthInside);
        int at = tokens.space(open + 1);
        if (tokens.byteAt(at) == '}') {
            return at + 1;
        }
        while (true) {
            at = tokens.space(member(at, visitor));
            if (tokens.byteAt(at) == '}') {
                return at + 1;
            }
            if (tokens.byteAt(at) != ',') {
                throw ProtocolErrors.syntax(json, at, "',' or '}'");
            }
            at = tokens.space(at + 1);
        }
    }

    /**
     * Reads an array and passes the range of each of its elements to a visitor.
     *
     * @return the position after the array, or -1 if it has more than {@code most} elements; the rest is not read
     */
    int elements(int open, long most, ElementVisitor visitor) {
        int at = tokens.space(open + 1);
        if (tokens.byteAt(at) == ']') {
            return at + 1;
        }
        for (long left = most; left > 0; left--) {
            int end = value(at, 1);
            visitor.element(at, end);
            at = tokens.space(end);
            if (tokens.byteAt(at) == ']') {
                return at + 1;
            }
            if (tokens.byteAt(at) != ',') {
                throw ProtocolErrors.syntax(json, at, "',' or ']'");
            }
            at = tokens.space(at + 1);
        }
        return -1;
    }

    /** Requires that only white space follows. */
    void requireEnd(int from) {
        int at = tokens.space(from);
        if (at < json.length) {
            throw ProtocolErrors.syntax(json, at, "the end");
        }
    }

    /** Reads one member and passes it to a visitor. */
    int member(int at, MemberVisitor visitor) {
        int keyEnd = key(at);
        return visitor.member(at + 1, keyEnd - 1, colon(keyEnd));
    }

    /** Skips any value. Iterative, so that deep nesting cannot overflow the stack. */
    int value(int from, int depthOutside) {
        depth = depthOutside;
        int at = from;
        do {
            at = innermost(at);
            at = next(at, depthOutside);
        } while (depth > depthOutside);
        return at;
    }

    /** Skips a key; returns the position after its closing quote. */
    private int key(int quote) {
        if (tokens.byteAt(quote) != '"') {
            throw ProtocolErrors.syntax(json, quote, "a key in double quotes");
        }
        count();
        int escapes = tokens.unicodeEscapes();
        int end = tokens.string(quote);
        if (end - quote - 2 > MAX_KEY_BYTES) {
            throw ProtocolErrors.limit(
                    "The key '%s' has %d bytes"
                            .formatted(ProtocolErrors.excerpt(json, quote + 1, end - 1), end - quote - 2),
                    "maxKeyBytes",
                    MAX_KEY_BYTES);
        }
        if (tokens.unicodeEscapes() > escapes
                && !JsonStrings.isWellFormed(JsonStrings.decode(json, quote + 1, end - 1))) {
            throw ProtocolErrors.value("key", json, quote, end, "free of surrogates that stand alone");
        }
        return end;
    }

    /** Skips the colon after a key, and the white space around it. */
    private int colon(int from) {
        int at = tokens.space(from);
        if (tokens.byteAt(at) != ':') {
            throw ProtocolErrors.syntax(json, at, "':'");
        }
        return tokens.space(at + 1);
    }

    /** Skips opening brackets and first keys, and then the first value that has no members. */
    private int innermost(int from) {
        int at = from;
        while (true) {
            byte bracket = tokens.byteAt(at);
            if (bracket != '{' && bracket != '[') {
                count();
                return tokens.scalar(at);
            }
            enter(bracket == '{');
            at = tokens.space(at + 1);
            if (tokens.byteAt(at) == closing()) {
                return at;
            }
            if (isObject[depth]) {
                at = colon(key(at));
            }
        }
    }

    /** Skips closing brackets, up to the next value or past the outermost bracket. */
    private int next(int from, int depthOutside) {
        int at = from;
        while (depth > depthOutside) {
            at = tokens.space(at);
            byte b = tokens.byteAt(at);
            if (b == ',') {
                at = tokens.space(at + 1);
                return isObject[depth] ? colon(key(at)) : at;
            }
            if (b != closing()) {
                throw ProtocolErrors.syntax(json, at, isObject[depth] ? "',' or '}'" : "',' or ']'");
            }
            depth--;
            at++;
        }
        return at;
    }

    private char closing() {
        return isObject[depth] ? '}' : ']';
    }

    private void enter(boolean object) {
        count();
        requireDepth(++depth);
        if (depth >= isObject.length) {
            isObject = Arrays.copyOf(isObject, Math.max(FEW, 2 * depth));
        }
        isObject[depth] = object;
    }

    private void count() {
        if (++passed > limits.maxTokens()) {
            throw ProtocolErrors.limit(
                    "The message has more than %d tokens".formatted(limits.maxTokens()),
                    "maxTokens",
                    limits.maxTokens());
        }
    }

    private void requireDepth(int depthInside) {
        if (depthInside > limits.maxDepth()) {
            throw ProtocolErrors.limit(
                    "The message nests %d deep".formatted(depthInside), "maxDepth", limits.maxDepth());
        }
    }

    /** Receives the members of an object one by one and skips their values. */
    @FunctionalInterface
    interface MemberVisitor {

        /**
         * Receives one member.
         *
         * @param keyStart the start of the key, after its opening quote
         * @param keyEnd the end of the key, before its closing quote
         * @param value the start of the value
         * @return the end of the value
         */
        int member(int keyStart, int keyEnd, int value);
    }

    /** Receives the elements of an array one by one. */
    @FunctionalInterface
    interface ElementVisitor {

        void element(int start, int end);
    }
}
