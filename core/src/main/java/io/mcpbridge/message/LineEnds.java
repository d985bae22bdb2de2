package io.mcpbridge.message;

import java.nio.ByteBuffer;

/** Finds line ends in a buffer, eight bytes at a time. */
final class LineEnds {

    static final int NOT_FOUND = -1;

    private static final long ONES = 0x0101010101010101L;
    private static final long HIGH_BITS = 0x8080808080808080L;
    private static final long LINE_FEEDS = ONES * '\n';

    private LineEnds() {}

    /** The position of the first LF among the remaining bytes, or {@link #NOT_FOUND}. */
    static int find(ByteBuffer in) {
        int at = in.position();
        while (at <= in.limit() - Long.BYTES && !hasLineFeed(in.getLong(at))) {
            at += Long.BYTES;
        }
        while (at < in.limit() && in.get(at) != '\n') {
            at++;
        }
        return at < in.limit() ? at : NOT_FOUND;
    }

    private static boolean hasLineFeed(long word) {
        long zeroWhereLineFeed = word ^ LINE_FEEDS;
        return ((zeroWhereLineFeed - ONES) & ~zeroWhereLineFeed & HIGH_BITS) != 0;
    }
}
