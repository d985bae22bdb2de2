package io.mcpbridge.message;

import java.util.BitSet;

/**
 * Finds where JSON values end by their quotes and brackets alone, however wrong what stands between them is.
 *
 * <p>Each method takes the position where something begins and returns the one where it ends, or {@link #LOST}.
 */
final class LooseScanner {
    /** The end cannot be told. */
    static final int LOST = -1;

    private final byte[] json;

    LooseScanner(byte[] json) {
        this.json = json;
    }

    /** The byte here, or 0 at the end. */
    byte byteAt(int at) {
        return at < json.length ? json[at] : 0;
    }

    int space(int from) {
        int at = from;
        while (at < json.length && (json[at] == ' ' || json[at] == '\t' || json[at] == '\r' || json[at] == '\n')) {
            at++;
        }
        return at;
    }

    /** Passes an object, and shows each of its members to a visitor, which may be lost too. */
    int object(int open, MemberVisitor visitor) {
        return elements(open, '}', at -> member(at, visitor));
    }

    private int member(int quote, MemberVisitor visitor) {
        int keyEnd = byteAt(quote) == '"' ? string(quote) : LOST;
        if (keyEnd == LOST) {
            return LOST;
        }
        int colon = space(keyEnd);
        return byteAt(colon) == ':' ? visitor.member(quote + 1, keyEnd - 1, space(colon + 1)) : LOST;
    }

    /** Passes an array, and shows each of its elements to a visitor. */
    int array(int open, ElementVisitor visitor) {
        return elements(open, ']', visitor);
    }

    private int elements(int open, char close, ElementVisitor visitor) {
        int at = space(open + 1);
        if (byteAt(at) == close) {
            return at + 1;
        }
        while (true) {
            int end = visitor.element(at);
            if (end == LOST) {
                return LOST;
            }
            at = space(end);
            if (byteAt(at) != ',') {
                return byteAt(at) == close ? at + 1 : LOST;
            }
            at = space(at + 1);
        }
    }

    /** Passes any value. */
    int value(int from) {
        return switch (byteAt(from)) {
            case '"' -> string(from);
            case '{', '[' -> brackets(from);
            default -> word(from);
        };
    }

    private int string(int quote) {
        for (int at = quote + 1; at < json.length; at++) {
            if (json[at] == '"') {
                return at + 1;
            }
            if (json[at] == '\\') {
                at++;
            }
        }
        return LOST;
    }

    /** Passes everything between an opening bracket and the one that closes it. */
    private int brackets(int open) {
        var isObject = new BitSet();
        int depth = 0;
        int at = open;
        while (at != LOST && at < json.length) {
            switch (json[at]) {
                case '{', '[' -> isObject.set(depth++, json[at] == '{');
                case '}', ']' -> {
                    if (isObject.get(--depth) != (json[at] == '}')) {
                        return LOST;
                    }
                }
                default -> {}
            }
            if (depth == 0) {
                return at + 1;
            }
            at = json[at] == '"' ? string(at) : at + 1;
        }
        return LOST;
    }

    /** Passes what should be a number or a literal. */
    private int word(int from) {
        int at = from;
        while (at < json.length && " \t\r\n,:\"{}[]".indexOf(json[at]) < 0) {
            at++;
        }
        return at > from ? at : LOST;
    }

    /** Is shown the elements of an array one by one, and passes over them. */
    @FunctionalInterface
    interface ElementVisitor {

        /** Takes the element that begins here; returns where it ends, or {@link #LOST}. */
        int element(int start);
    }
}
