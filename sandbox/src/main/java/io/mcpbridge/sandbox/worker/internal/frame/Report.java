package io.mcpbridge.sandbox.worker.internal.frame;

import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * What a worker says when a call has ended: the payload of an answer.
 *
 * @param residentBytes how much memory the worker takes; 0 where that cannot be told
 * @param leftBehind what the call left running in the worker, or the empty text
 * @param value the result, or the words of the failure
 */
public record Report(
        long residentBytes, String leftBehind, @Nullable Object value) {
    /** What a report may take beside its value. */
    public static final int BESIDE_VALUE = 4096;

    private static final int LONGEST_WORDS = 500;

    /**
     * As bytes.
     *
     * @param mostBytes how many the value may take
     * @throws FullException if it takes more
     * @throws IllegalArgumentException if it is no plain value
     */
    public ByteBuffer written(int mostBytes) {
        var left = leftBehind.length() <= LONGEST_WORDS ? leftBehind : leftBehind.substring(0, LONGEST_WORDS);
        var beside =
                new ValueWriter(BESIDE_VALUE).wide(residentBytes).text(left).written();
        var written = new ValueWriter(mostBytes).value(value).written();
        return ByteBuffer.allocate(beside.remaining() + written.remaining())
                .put(beside)
                .put(written)
                .flip();
    }

    /**
     * Reads what {@link #written} wrote.
     *
     * @throws BadFrameException if it is none
     */
    public static Report read(ByteBuffer bytes) throws BadFrameException {
        var in = new ValueReader(bytes);
        return new Report(in.wide(), in.text(), in.value());
    }
}
