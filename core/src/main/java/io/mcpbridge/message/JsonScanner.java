package io.mcpbridge.message;

import java.util.Arrays;

/**
 * Passes over JSON values, checking all of their grammar, and makes nothing of them.
 *
 * <p>Each method takes the position where something begins and returns the one where it ends. Space
 * between tokens is passed with its line ends made spaces. One scanner serves one message, since it counts
 * the tokens it has passed.
 */
final class JsonScanner {

    private static final int MAX_KEY_BYTES = 1024;
    private static final boolean[] NONE = {};
    private static final int FEW = 16;

    private final byte[] json;
    private final Limits limits;
    private final JsonTokenScanner tokens;
    private int passed;
    private int depth;
    private boolean[] isObject = NONE;

    JsonScanner(byte[] json, Limits limits) {
        this.json = json;
        this.limits = limits;
        this.tokens = new JsonTokenScanner(json);
    }

    /** The byte here, or 0 at the end of the message. */
    byte byteAt(int at) {
        return tokens.byteAt(at);
    }

    /** Passes space between tokens. */
    int space(int from) {
        return tokens.space(from);
    }

    /** Passes an object, and shows each of its members to a visitor. */
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
     * Passes an array, and shows where each of its elements begins and ends.
     *
     * @return the position behind the array, or -1 if it has more than {@code most} elements; their rest is not read
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

    /** Requires that nothing but space is left. */
    void requireEnd(int from) {
        int at = tokens.space(from);
        if (at < json.length) {
            throw ProtocolErrors.syntax(json, at, "the end");
        }
    }

    /** Passes one member, and shows it to a visitor. */
    int member(int at, MemberVisitor visitor) {
        int keyEnd = key(at);
        return visitor.member(at + 1, keyEnd - 1, colon(keyEnd));
    }

    /** Passes any value; a loop and no recursion, so that no nesting can exhaust the stack. */
    int value(int from, int depthOutside) {
        depth = depthOutside;
        int at = from;
        do {
            at = innermost(at);
            at = next(at, depthOutside);
        } while (depth > depthOutside);
        return at;
    }

    /** Passes a key, and returns the position behind its closing quote. */
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

    /** Passes the colon behind a key, and the space around it. */
    private int colon(int from) {
        int at = tokens.space(from);
        if (tokens.byteAt(at) != ':') {
            throw ProtocolErrors.syntax(json, at, "':'");
        }
        return tokens.space(at + 1);
    }

    /** Passes opening brackets and first keys, down to a value without members. */
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

    /** Passes closing brackets, up to the next value or out of the outermost bracket. */
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

    /** Is shown the members of an object one by one, and passes over their values. */
    @FunctionalInterface
    interface MemberVisitor {

        /**
         * Takes one member.
         *
         * @param keyStart where the key begins, behind its quote
         * @param keyEnd where the key ends, before its quote
         * @param value where the value begins
         * @return where the value ends
         */
        int member(int keyStart, int keyEnd, int value);
    }

    /** Is shown the elements of an array one by one. */
    @FunctionalInterface
    interface ElementVisitor {

        void element(int start, int end);
    }
}
