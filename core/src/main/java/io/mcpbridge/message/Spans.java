package io.mcpbridge.message;

import java.util.Arrays;

/**
 * The positions of values in a message, by slot. Only present values take memory; an absent value starts and ends at 0.
 */
final class Spans {

    /** Returned by {@link #next} if no further slot has a value. */
    static final int NONE = -1;

    /** The initial capacity, enough for most messages. */
    private static final int FEW = 8;

    private long present;
    private int[] bounds = new int[2 * FEW];

    boolean has(int slot) {
        return (present & bit(slot)) != 0;
    }

    int start(int slot) {
        return has(slot) ? bounds[index(slot)] : 0;
    }

    int end(int slot) {
        return has(slot) ? bounds[index(slot) + 1] : 0;
    }

    void set(int slot, int start, int end) {
        int index = index(slot);
        if (!has(slot)) {
            makeRoom(index);
            present |= bit(slot);
        }
        bounds[index] = start;
        bounds[index + 1] = end;
    }

    /** Adds all spans of {@code others}, shifted by a distance. */
    void setAll(Spans others, int distance) {
        for (int slot = others.next(0); slot != NONE; slot = others.next(slot + 1)) {
            set(slot, others.start(slot) + distance, others.end(slot) + distance);
        }
    }

    /** The first slot from {@code from} on that has a value, or {@link #NONE}. */
    int next(int from) {
        long rest = from < Long.SIZE ? present & -bit(from) : 0;
        return rest == 0 ? NONE : Long.numberOfTrailingZeros(rest);
    }

    private void makeRoom(int index) {
        int used = 2 * Long.bitCount(present);
        if (used == bounds.length) {
            bounds = Arrays.copyOf(bounds, 2 * used);
        }
        System.arraycopy(bounds, index, bounds, index + 2, used - index);
    }

    /** The index of the slot in {@link #bounds}, which is ordered by slot. */
    private int index(int slot) {
        return 2 * Long.bitCount(present & (bit(slot) - 1));
    }

    private static long bit(int slot) {
        return 1L << slot;
    }
}
