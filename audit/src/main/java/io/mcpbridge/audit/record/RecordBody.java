package io.mcpbridge.audit.record;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.nio.ByteBuffer;

/**
 * A record without its place in the chain: everything but its sequence and its hash. Immutable.
 *
 * <p>Its bytes are canonical JSON in UTF-8 without a line end. Only the writer of a chain knows the sequence, so it comes
 * last; {@link AuditChain#append} does both.
 */
public final class RecordBody {
    /** Comes in the place of a sequence, which has as many digits. */
    static final String NO_SEQUENCE = "0".repeat(20);

    private final byte[] bytes;
    private final int sequenceAt;

    /**
     * A body.
     *
     * @param bytes the whole record; the caller does not change them any more
     * @param sequenceAt the position of the digits of the sequence
     */
    RecordBody(byte[] bytes, int sequenceAt) {
        this.bytes = bytes;
        this.sequenceAt = sequenceAt;
    }

    /** The length of the record in bytes without its hash. */
    public int length() {
        return bytes.length;
    }

    /** Puts the record with its sequence, without its hash, into a buffer with an array. */
    void write(long sequence, ByteBuffer to) {
        int digit = to.position() + sequenceAt + NO_SEQUENCE.length();
        to.put(bytes);
        for (long rest = sequence; rest > 0; rest /= 10) {
            to.put(--digit, (byte) ('0' + rest % 10));
        }
    }

    /** The record with zeros as its sequence. */
    @Override
    public String toString() {
        return new String(bytes, UTF_8);
    }
}
