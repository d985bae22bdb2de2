package io.mcpbridge.audit.verify;

import java.util.Base64;
import java.util.HexFormat;

/**
 * What a signature of the bridge vouches for: that the trail has so many records, which end in this hash.
 *
 * @param origin which trail it is: the name of the key
 * @param size the sequence number of the last record that is covered
 * @param head the hash of that record, and so of all before it, as 64 hexadecimal digits
 */
public record Checkpoint(String origin, long size, String head) {
    private static final int HASH_BYTES = 32;

    /** The lines that are signed, as a C2SP checkpoint has them; its root is the head of our chain. */
    public String text() {
        var root = Base64.getEncoder().encodeToString(HexFormat.of().parseHex(head));
        return origin + "\n" + size + "\n" + root + "\n";
    }

    /**
     * Reads the three lines.
     *
     * @throws IllegalArgumentException if they are none of a checkpoint
     */
    static Checkpoint of(String origin, String size, String root) {
        var bytes = Base64.getDecoder().decode(root);
        var count = Long.parseLong(size);
        if (bytes.length != HASH_BYTES || count < 0) {
            throw new IllegalArgumentException("a checkpoint has a size and a hash of 32 bytes");
        }
        return new Checkpoint(origin, count, HexFormat.of().formatHex(bytes));
    }
}
