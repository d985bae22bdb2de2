package io.mcpbridge.audit.record;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;

/**
 * A record that has no place in the chain yet: everything but its sequence and its hash. Immutable.
 *
 * <p>Its bytes are canonical JSON in UTF-8 without a line end. Only the writer of a chain knows the sequence, so it comes
 * last; {@link AuditChain#append} does both.
 */
public final class RecordBody {
    private static final int DIGITS = 20;

    private final byte[] head;
    private final byte[] tail;

    /**
     * A body of its two halves.
     *
     * @param head up to the quote in which the sequence begins
     * @param tail from the quote in which it ends
     */
    RecordBody(String head, String tail) {
        this.head = head.getBytes(UTF_8);
        this.tail = tail.getBytes(UTF_8);
    }

    /** How many bytes the record has before its hash is added. */
    public int length() {
        return head.length + DIGITS + tail.length;
    }

    /** The record with its sequence, without its hash. */
    public byte[] withSequence(long sequence) {
        return withSequence(sequence, length());
    }

    /** The same at the beginning of an array that has room for more. */
    byte[] withSequence(long sequence, int room) {
        var bytes = new byte[room];
        System.arraycopy(head, 0, bytes, 0, head.length);
        System.arraycopy(digits(sequence), 0, bytes, head.length, DIGITS);
        System.arraycopy(tail, 0, bytes, head.length + DIGITS, tail.length);
        return bytes;
    }

    private static byte[] digits(long sequence) {
        var digits = Long.toString(sequence);
        return ("0".repeat(DIGITS - digits.length()) + digits).getBytes(ISO_8859_1);
    }

    /** The record with zeros as its sequence. */
    @Override
    public String toString() {
        return new String(withSequence(0), UTF_8);
    }
}
