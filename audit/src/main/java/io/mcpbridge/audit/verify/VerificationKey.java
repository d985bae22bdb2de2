package io.mcpbridge.audit.verify;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.mcpbridge.audit.record.AuditChain;
import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.PublicKey;
import java.security.Signature;
import java.security.spec.X509EncodedKeySpec;
import java.util.Arrays;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;

/**
 * The public half of the key that signs checkpoints, written like the keys of C2SP signed notes: {@code name+id+key}.
 *
 * <p>Immutable; any thread may use it.
 */
public final class VerificationKey {
    /** The number of bytes of a signature that identify its key. */
    static final int ID_BYTES = 4;

    private static final String ALGORITHM = "Ed25519";
    private static final byte ED25519 = 1;
    private static final int RAW_BYTES = 32;

    /** The header of an X.509-encoded Ed25519 key, which precedes its 32 bytes. */
    private static final byte[] X509_HEAD = HexFormat.of().parseHex("302a300506032b6570032100");

    private final String name;
    private final byte[] raw;
    private final PublicKey key;

    private VerificationKey(String name, byte[] raw, PublicKey key) {
        this.name = name;
        this.raw = raw;
        this.key = key;
    }

    /** Makes a key with this name. */
    public static VerificationKey of(String name, PublicKey key) {
        var encoded = key.getEncoded();
        return new VerificationKey(name, Arrays.copyOfRange(encoded, encoded.length - RAW_BYTES, encoded.length), key);
    }

    /**
     * Parses the form {@code name+id+key}.
     *
     * @throws IllegalArgumentException if the text is not a key; the message has the cause
     */
    public static VerificationKey parse(String text) {
        var parts = text.trim().split("\\+", 3);
        if (parts.length != 3) {
            throw new IllegalArgumentException("'%s' is not a key; a key has the form name+id+key".formatted(text));
        }
        var key = ofRaw(parts[0], text, decode(parts[2], text));
        if (!HexFormat.of().formatHex(key.id()).equals(parts[1])) {
            throw new IllegalArgumentException("'%s' is not a key: its id does not fit".formatted(text));
        }
        return key;
    }

    /**
     * Reads a file with one key a line; skips lines that begin with {@code #}.
     *
     * @throws IllegalArgumentException if the file has another line, or no key
     */
    public static List<VerificationKey> read(Path file) throws IOException {
        var keys = lines(file).stream()
                .filter(line -> !line.isBlank() && !line.startsWith("#"))
                .map(VerificationKey::parse)
                .toList();
        if (keys.isEmpty()) {
            throw new IllegalArgumentException("'%s' has no key".formatted(file));
        }
        return keys;
    }

    private static List<String> lines(Path file) throws IOException {
        try {
            return Files.readAllLines(file);
        } catch (CharacterCodingException e) {
            throw new IllegalArgumentException("'%s' is not a text file".formatted(file), e);
        }
    }

    private static byte[] decode(String base64, String text) {
        try {
            return Base64.getDecoder().decode(base64);
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(
                    "'%s' is not a key: the part after the id is not base64".formatted(text));
        }
    }

    private static VerificationKey ofRaw(String name, String text, byte[] typed) {
        if (typed.length != RAW_BYTES + 1 || typed[0] != ED25519) {
            throw new IllegalArgumentException("'%s' is not an Ed25519 key".formatted(text));
        }
        var raw = Arrays.copyOfRange(typed, 1, typed.length);
        var encoded = Arrays.copyOf(X509_HEAD, X509_HEAD.length + RAW_BYTES);
        System.arraycopy(raw, 0, encoded, X509_HEAD.length, RAW_BYTES);
        try {
            return new VerificationKey(
                    name, raw, KeyFactory.getInstance(ALGORITHM).generatePublic(new X509EncodedKeySpec(encoded)));
        } catch (GeneralSecurityException e) {
            throw new IllegalArgumentException("'%s' is not an Ed25519 key".formatted(text), e);
        }
    }

    public String name() {
        return name;
    }

    /** Four bytes that distinguish this key from others with its name. */
    public byte[] id() {
        var digest = AuditChain.sha256();
        digest.update((name + "\n").getBytes(UTF_8));
        digest.update(ED25519);
        return Arrays.copyOf(digest.digest(raw), ID_BYTES);
    }

    /** Whether the checkpoint names this key. */
    public boolean isNamedBy(SignedCheckpoint note) {
        var signature = note.signatureBytes();
        return note.name().equals(name)
                && signature.length > ID_BYTES
                && Arrays.equals(signature, 0, ID_BYTES, id(), 0, ID_BYTES);
    }

    /** Whether this key signed the checkpoint, and the checkpoint belongs to the trail with the name of the key. */
    public boolean verifies(SignedCheckpoint note) {
        if (!isNamedBy(note) || !note.origin().equals(name)) {
            return false;
        }
        try {
            var signature = Signature.getInstance(ALGORITHM);
            signature.initVerify(key);
            signature.update(note.signedBytes());
            var bytes = note.signatureBytes();
            return signature.verify(bytes, ID_BYTES, bytes.length - ID_BYTES);
        } catch (GeneralSecurityException e) {
            return false;
        }
    }

    /** The form {@code name+id+key}. */
    @Override
    public String toString() {
        var typed = new byte[RAW_BYTES + 1];
        typed[0] = ED25519;
        System.arraycopy(raw, 0, typed, 1, RAW_BYTES);
        return name + "+" + HexFormat.of().formatHex(id()) + "+"
                + Base64.getEncoder().encodeToString(typed);
    }
}
