package io.mcpbridge.audit.record;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import io.mcpbridge.audit.internal.json.Digits;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/**
 * Makes lines of records: gives each the next sequence and the hash that holds it to the line before.
 *
 * <p>One thread at a time. Lines that could not be kept are taken back by going on {@link #after} an earlier head.
 */
public final class AuditChain {
    private static final byte[] BEFORE_HASH = ",\"zhash\":\"".getBytes(ISO_8859_1);
    private static final int HASH_DIGITS = 64;
    private static final HexFormat HEX = HexFormat.of();

    private final MessageDigest digest = sha256();
    private long sequence;
    private byte[] hash;

    private AuditChain(ChainHead head) {
        this.sequence = head.sequence();
        this.hash = HEX.parseHex(head.hash());
    }

    /** A chain whose first line has the sequence 1. */
    public static AuditChain start() {
        return after(ChainHead.START);
    }

    /** A chain that goes on where another one stood. */
    public static AuditChain after(ChainHead head) {
        return new AuditChain(head);
    }

    /** The line of a record, without a line end; from here on the chain stands behind it. */
    public byte[] append(RecordBody body) {
        int length = body.length();
        var line = body.withSequence(sequence + 1, length + BEFORE_HASH.length + HASH_DIGITS + 1);
        digest.update(hash);
        digest.update(line, 0, length);
        hash = digest.digest();
        sequence++;
        System.arraycopy(BEFORE_HASH, 0, line, length - 1, BEFORE_HASH.length);
        Digits.writeHex(hash, line, length - 1 + BEFORE_HASH.length);
        line[line.length - 2] = '"';
        line[line.length - 1] = '}';
        return line;
    }

    /** Where the chain stands: at the last line that was appended. */
    public ChainHead head() {
        return new ChainHead(sequence, HEX.formatHex(hash));
    }

    /** The hash of a line that stands behind another one; {@code line} ends with its hash, which does not count. */
    static String hashOf(byte[] line, String hashBefore) {
        var digest = sha256();
        digest.update(HEX.parseHex(hashBefore));
        digest.update(line, 0, line.length - BEFORE_HASH.length - HASH_DIGITS - 2);
        digest.update((byte) '}');
        return HEX.formatHex(digest.digest());
    }

    private static MessageDigest sha256() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException impossible) {
            throw new IllegalStateException("every Java platform has SHA-256", impossible);
        }
    }
}
