package io.mcpbridge.audit.verify;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.Base64;
import java.util.List;

/**
 * A checkpoint as a C2SP signed note: its text, an empty line, and a line with the signature.
 *
 * @param checkpoint what is vouched for
 * @param name of the key
 * @param signature in base64: four bytes that tell the key, and the signature itself
 */
public record SignedCheckpoint(Checkpoint checkpoint, String name, String signature) {
    /** How many lines a note has. */
    static final int LINES = 5;

    private static final int SIGNATURE_BYTES = 64;
    private static final String DASH = "— ";

    /**
     * Reads the lines of one note.
     *
     * @throws IllegalArgumentException if they are none
     */
    static SignedCheckpoint of(List<String> lines) {
        var signed = lines.get(4);
        var space = signed.lastIndexOf(' ');
        if (!lines.get(3).isEmpty() || !signed.startsWith(DASH) || space <= DASH.length()) {
            throw new IllegalArgumentException("a checkpoint ends with an empty line and its signature");
        }
        var note = new SignedCheckpoint(
                Checkpoint.of(lines.get(0), lines.get(1), lines.get(2)),
                signed.substring(DASH.length(), space),
                signed.substring(space + 1));
        // Base64 and numbers have several forms; one that is not ours was put there by somebody else.
        if (!new String(note.bytes(), UTF_8).equals(String.join("\n", lines) + "\n") || !note.hasPlainSignature()) {
            throw new IllegalArgumentException("a checkpoint is not in the form that is written");
        }
        return note;
    }

    private boolean hasPlainSignature() {
        return Base64.getEncoder().encodeToString(signatureBytes()).equals(signature);
    }

    /** Whether the signature has its length: one whose end is missing may be base64 too. */
    boolean isWhole() {
        return signatureBytes().length == VerificationKey.ID_BYTES + SIGNATURE_BYTES;
    }

    /** The four bytes and the signature; empty where they are not base64. */
    byte[] signatureBytes() {
        try {
            return Base64.getDecoder().decode(signature);
        } catch (IllegalArgumentException damaged) {
            return new byte[0];
        }
    }

    /** The note. */
    public byte[] bytes() {
        var line = DASH + name + " " + signature + "\n";
        return (checkpoint.text() + "\n" + line).getBytes(UTF_8);
    }
}
