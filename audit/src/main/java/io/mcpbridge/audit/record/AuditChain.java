package io.mcpbridge.audit.record;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import io.mcpbridge.audit.internal.json.Digits;
import java.nio.ByteBuffer;
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
    private static final byte[] END = "\"}".getBytes(ISO_8859_1);
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
        var line = new byte[lineLength(body)];
        append(body, ByteBuffer.wrap(line));
        return line;
    }

    /** The same where the line goes to: an array with room for {@link #lineLength}. */
    public void append(RecordBody body, ByteBuffer to) {
        int length = body.length();
        int at = to.position();
        body.write(sequence + 1, to);
        digest.update(hash);
        digest.update(to.array(), to.arrayOffset() + at, length);
        hash = digest.digest();
        sequence++;
        to.position(at + length - 1);
        to.put(BEFORE_HASH);
        Digits.writeHex(hash, to.array(), to.arrayOffset() + to.position());
        to.position(to.position() + HASH_DIGITS);
        to.put(END);
    }

    /** How many bytes the line of a record has, without a line end. */
    public static int lineLength(RecordBody body) {
        return body.length() - 1 + BEFORE_HASH.length + HASH_DIGITS + END.length;
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
