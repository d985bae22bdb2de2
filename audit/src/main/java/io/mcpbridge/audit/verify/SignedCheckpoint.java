package io.mcpbridge.audit.verify;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.mcpbridge.audit.record.ChainHead;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;

/**
 * A signed checkpoint in the form of a C2SP signed note: three signed lines, an empty line, and a line with the
 * signature.
 *
 * @param origin the identity of the trail, which is the name of its key
 * @param head the head of the chain at the last covered record; its hash covers all records before it
 * @param name the name of the key
 * @param signature in Base64: the four bytes of the key id, and the signature itself
 */
public record SignedCheckpoint(String origin, ChainHead head, String name, String signature) {
    /** The lines of a note. */
    static final int LINES = 5;

    private static final int SIGNATURE_BYTES = 64;
    private static final String DASH = "— ";

    /**
     * Parses the lines of one note.
     *
     * @throws IllegalArgumentException if they are not a signed checkpoint
     */
    static SignedCheckpoint of(List<String> lines) {
        var signed = lines.get(4);
        var space = signed.lastIndexOf(' ');
        if (!lines.get(3).isEmpty() || !signed.startsWith(DASH) || space <= DASH.length()) {
            throw new IllegalArgumentException("a checkpoint ends with an empty line and its signature");
        }
        var hash = HexFormat.of().formatHex(Base64.getDecoder().decode(lines.get(2)));
        var note = new SignedCheckpoint(
                lines.get(0),
                new ChainHead(Long.parseLong(lines.get(1)), hash),
                signed.substring(DASH.length(), space),
                signed.substring(space + 1));
        // Base64 and numbers have several forms; the writer uses only one.
        if (!new String(note.bytes(), UTF_8).equals(String.join("\n", lines) + "\n") || !note.hasPlainSignature()) {
            throw new IllegalArgumentException("a checkpoint is not in its canonical form");
        }
        return note;
    }

    /** The number of covered records. */
    public long size() {
        return head.sequence();
    }

    private boolean hasPlainSignature() {
        return Base64.getEncoder().encodeToString(signatureBytes()).equals(signature);
    }

    /** Whether the signature has its full length; a truncated one may be valid Base64 too. */
    boolean isWhole() {
        return signatureBytes().length == VerificationKey.ID_BYTES + SIGNATURE_BYTES;
    }

    /** The four bytes of the key id and the signature; empty if they are not valid Base64. */
    byte[] signatureBytes() {
        try {
            return Base64.getDecoder().decode(signature);
        } catch (IllegalArgumentException e) {
            return new byte[0];
        }
    }

    /** The signed lines in the form of a C2SP checkpoint, whose root hash is the head of the chain. */
    public static byte[] signedBytes(String origin, ChainHead head) {
        var root = Base64.getEncoder().encodeToString(HexFormat.of().parseHex(head.hash()));
        return (origin + "\n" + head.sequence() + "\n" + root + "\n").getBytes(UTF_8);
    }

    byte[] signedBytes() {
        return signedBytes(origin, head);
    }

    /** The text of the note in UTF-8. */
    public byte[] bytes() {
        return (new String(signedBytes(), UTF_8) + "\n" + DASH + name + " " + signature + "\n").getBytes(UTF_8);
    }
}
