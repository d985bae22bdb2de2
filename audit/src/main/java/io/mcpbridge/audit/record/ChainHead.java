package io.mcpbridge.audit.record;

/**
 * Where a chain of records stands.
 *
 * @param sequence of the last line; 0 where there is none yet
 * @param hash of the last line, in 64 hexadecimal digits
 */
public record ChainHead(long sequence, String hash) {

    /** Before the first line. */
    public static final ChainHead START = new ChainHead(0, "0".repeat(64));

    public ChainHead {
        if (sequence < 0 || !AuditLine.isHash(hash)) {
            throw new IllegalArgumentException(
                    "a chain stands at a sequence from 0 and 64 hexadecimal digits, but not at %d and '%s'"
                            .formatted(sequence, hash));
        }
    }
}
