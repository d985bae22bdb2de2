package io.mcpbridge.audit.record;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.mcpbridge.audit.internal.json.Digits;
import java.nio.ByteBuffer;

/**
 * A record that has no place in the chain yet: everything but its sequence and its hash. Immutable.
 *
 * <p>Its bytes are canonical JSON in UTF-8 without a line end. Only the writer of a chain knows the sequence, so it comes
 * last; {@link AuditChain#append} does both.
 */
public final class RecordBody {
    /** How many digits a sequence has. */
    static final int DIGITS = 20;

    private final byte[] bytes;
    private final int sequenceAt;

    /**
     * A body.
     *
     * @param bytes the whole record, which is not touched any more
     * @param sequenceAt where the digits of its sequence stand
     */
    RecordBody(byte[] bytes, int sequenceAt) {
        this.bytes = bytes;
        this.sequenceAt = sequenceAt;
    }

    /** How many bytes the record has before its hash is added. */
    public int length() {
        return bytes.length;
    }

    /** The record with its sequence, without its hash. */
    public byte[] withSequence(long sequence) {
        var numbered = ByteBuffer.allocate(bytes.length);
        write(sequence, numbered);
        return numbered.array();
    }

    /** The same into a buffer that is an array. */
    void write(long sequence, ByteBuffer to) {
        int at = to.arrayOffset() + to.position();
        to.put(bytes);
        Digits.write(sequence, to.array(), at + sequenceAt, DIGITS);
    }

    /** The record with zeros as its sequence. */
    @Override
    public String toString() {
        return new String(bytes, UTF_8);
    }
}
