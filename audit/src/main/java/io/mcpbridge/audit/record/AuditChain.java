package io.mcpbridge.audit.record;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/**
 * Chains records into lines: adds the next sequence and a hash that covers the previous line. For one thread.
 *
 * <p>To drop lines that could not be written, continue {@link #after} an earlier head.
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

    /** A chain that continues after a head. */
    public static AuditChain after(ChainHead head) {
        return new AuditChain(head);
    }

    /** Appends a record to the chain; returns its line without a line end. */
    public byte[] append(RecordBody body) {
        var line = new byte[lineLength(body)];
        append(body, ByteBuffer.wrap(line));
        return line;
    }

    /** Appends a record to the chain and puts its line into a buffer with an array. */
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
        for (byte each : hash) {
            to.put((byte) HEX.toHighHexDigit(each)).put((byte) HEX.toLowHexDigit(each));
        }
        to.put(END);
    }

    /** The length of the line of a record in bytes, without a line end. */
    public static int lineLength(RecordBody body) {
        return body.length() - 1 + BEFORE_HASH.length + HASH_DIGITS + END.length;
    }

    /** The head of the chain: the last appended line. */
    public ChainHead head() {
        return new ChainHead(sequence, HEX.formatHex(hash));
    }

    /** The hash of a line after a previous one; excludes the hash at the end of {@code line}. */
    static String hashOf(byte[] line, String hashBefore) {
        var digest = sha256();
        digest.update(HEX.parseHex(hashBefore));
        digest.update(line, 0, line.length - BEFORE_HASH.length - HASH_DIGITS - 2);
        digest.update((byte) '}');
        return HEX.formatHex(digest.digest());
    }

    /** Makes a digest of SHA-256. */
    public static MessageDigest sha256() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java platform has SHA-256", e);
        }
    }
}
