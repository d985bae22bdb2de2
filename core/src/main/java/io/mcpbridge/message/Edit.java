package io.mcpbridge.message;

import org.jspecify.annotations.Nullable;

/** A range of a message, and what will stand in its place. */
final class Edit {

    private static final byte[] NOTHING = {};

    private final int start;
    private final int end;
    private final @Nullable Fragment fragment;
    private final int from;

    private Edit(int start, int end, @Nullable Fragment fragment, int from) {
        this.start = start;
        this.end = end;
        this.fragment = fragment;
        this.from = from;
    }

    /** Takes a range out. */
    static Edit removing(int start, int end) {
        return new Edit(start, end, null, 0);
    }

    /** Puts the value of a fragment in place of another. */
    static Edit replacing(int start, int end, Fragment fragment) {
        return new Edit(start, end, fragment, fragment.value());
    }

    /** Puts a whole member before the bracket that closes its object. */
    static Edit inserting(int bracket, Fragment fragment, boolean isFirst) {
        return new Edit(bracket, bracket, fragment, isFirst ? 1 : 0);
    }

    int start() {
        return start;
    }

    int end() {
        return end;
    }

    boolean isRemoval() {
        return fragment == null;
    }

    /** Whether the range reaches beyond a position that is not before its start. */
    boolean covers(int position) {
        return start <= position && position < end;
    }

    /** How much longer the message becomes. */
    int growth() {
        return text().length - from - (end - start);
    }

    /** Writes the new text, and returns the position behind it. */
    int write(byte[] target, int at) {
        int length = text().length - from;
        System.arraycopy(text(), from, target, at, length);
        return at + length;
    }

    /** Notes the parts of the new text, which was written here. */
    void note(Spans target, int at) {
        if (fragment != null) {
            target.setAll(fragment.spans(), at - from);
        }
    }

    private byte[] text() {
        return fragment == null ? NOTHING : fragment.text();
    }
}
