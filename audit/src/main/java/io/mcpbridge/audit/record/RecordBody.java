package io.mcpbridge.audit.record;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.nio.ByteBuffer;

/**
 * A serialized record without its sequence and its hash, which depend on its place in the chain. Immutable.
 *
 * <p>Its bytes are canonical JSON in UTF-8 without a line end. {@link AuditChain#append} adds the sequence and the
 * hash.
 */
public final class RecordBody {
    /** The placeholder of a sequence, which has the same number of digits. */
    static final String NO_SEQUENCE = "0".repeat(20);

    private final byte[] bytes;
    private final int length;
    private final int sequenceAt;

    /**
     * Makes a body.
     *
     * @param bytes begin with the record; the caller must not change them afterwards
     * @param length the length of the record
     * @param sequenceAt the position of the digits of the sequence
     */
    RecordBody(byte[] bytes, int length, int sequenceAt) {
        this.bytes = bytes;
        this.length = length;
        this.sequenceAt = sequenceAt;
    }

    /** The length of the record in bytes without its hash. */
    public int length() {
        return length;
    }

    /** Writes the record with this sequence, but without its hash, into a buffer with an array. */
    void write(long sequence, ByteBuffer to) {
        int digit = to.position() + sequenceAt + NO_SEQUENCE.length();
        to.put(bytes, 0, length);
        for (long rest = sequence; rest > 0; rest /= 10) {
            to.put(--digit, (byte) ('0' + rest % 10));
        }
    }

    /** The record with zeros as its sequence. */
    @Override
    public String toString() {
        return new String(bytes, 0, length, UTF_8);
    }
}
