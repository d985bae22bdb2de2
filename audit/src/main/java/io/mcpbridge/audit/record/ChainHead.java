package io.mcpbridge.audit.record;

/**
 * The head of a chain of records: its last line.
 *
 * @param sequence the sequence of the last line; 0 if there is none
 * @param hash the hash of the last line, in 64 hexadecimal digits
 */
public record ChainHead(long sequence, String hash) {

    /** The head of an empty chain. */
    public static final ChainHead START = new ChainHead(0, "0".repeat(64));

    public ChainHead {
        if (sequence < 0 || !ParsedRecord.isHash(hash)) {
            throw new IllegalArgumentException(
                    "the head of a chain has a sequence from 0 and 64 hexadecimal digits, but not %d and '%s'"
                            .formatted(sequence, hash));
        }
    }
}
