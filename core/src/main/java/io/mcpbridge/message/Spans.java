package io.mcpbridge.message;

/** Where values lie in a message, by slot; a value never lies at 0, which therefore means absent. */
final class Spans {

    private final int[] bounds = new int[2 * Slots.COUNT];

    boolean has(int slot) {
        return bounds[2 * slot] > 0;
    }

    int start(int slot) {
        return bounds[2 * slot];
    }

    int end(int slot) {
        return bounds[2 * slot + 1];
    }

    void set(int slot, int start, int end) {
        bounds[2 * slot] = start;
        bounds[2 * slot + 1] = end;
    }

    /** Takes over what others has, moved by a distance. */
    void setAll(Spans others, int distance) {
        for (int slot = 0; slot < Slots.COUNT; slot++) {
            if (others.has(slot)) {
                set(slot, others.start(slot) + distance, others.end(slot) + distance);
            }
        }
    }
}
