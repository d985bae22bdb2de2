package io.mcpbridge.audit.file;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.mcpbridge.audit.verify.Checkpoint;
import io.mcpbridge.audit.verify.SignedCheckpoint;
import io.mcpbridge.audit.verify.VerificationKey;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.KeyPairGenerator;
import java.security.MessageDigest;
import java.security.PrivateKey;
import java.security.Signature;
import java.security.spec.InvalidKeySpecException;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.Arrays;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;

/** The Ed25519 key that signs checkpoints. Immutable; where it lies is for {@link SigningKeyFiles} to know. */
final class SigningKey {
    private static final String ALGORITHM = "Ed25519";
    private static final String BEGIN = "-----BEGIN PRIVATE KEY-----";
    private static final String END = "-----END PRIVATE KEY-----";
    private static final int ID_BYTES = 8;

    private final PrivateKey key;
    private final VerificationKey publicHalf;
    private final List<VerificationKey> all;

    private SigningKey(PrivateKey key, VerificationKey publicHalf, List<VerificationKey> all) {
        this.key = key;
        this.publicHalf = publicHalf;
        this.all = List.copyOf(all);
    }

    /** The key in its text form, with its public half and those of the keys before it. */
    static SigningKey parse(String pem, List<VerificationKey> publicHalves) throws GeneralSecurityException {
        var key = read(pem);
        for (var half : publicHalves) {
            var signing = new SigningKey(key, half, publicHalves);
            if (half.vouchesFor(signing.sign(0, "0".repeat(64)))) {
                return signing;
            }
        }
        throw new IllegalArgumentException("none of its public halves belongs to it");
    }

    private static PrivateKey read(String pem) throws GeneralSecurityException {
        try {
            var encoded = Base64.getMimeDecoder().decode(pem.replace(BEGIN, "").replace(END, ""));
            return KeyFactory.getInstance(ALGORITHM).generatePrivate(new PKCS8EncodedKeySpec(encoded));
        } catch (IllegalArgumentException | InvalidKeySpecException damaged) {
            throw new IllegalArgumentException("it is damaged, or no key in the form '%s …'".formatted(BEGIN), damaged);
        }
    }

    /** A new key in its text form. */
    static Made make() throws GeneralSecurityException {
        var pair = KeyPairGenerator.getInstance(ALGORITHM).generateKeyPair();
        var hash = MessageDigest.getInstance("SHA-256").digest(pair.getPublic().getEncoded());
        var name = "mcp-bridge-audit-" + HexFormat.of().formatHex(hash, 0, ID_BYTES);
        var base64 = Base64.getMimeEncoder(64, new byte[] {'\n'});
        var pem = BEGIN + "\n" + base64.encodeToString(pair.getPrivate().getEncoded()) + "\n" + END + "\n";
        return new Made(pem, VerificationKey.of(name, pair.getPublic()));
    }

    /** A key that was just made. */
    record Made(String pem, VerificationKey publicHalf) {}

    VerificationKey publicHalf() {
        return publicHalf;
    }

    /** The public halves of this key and of those that signed the trail before it. */
    List<VerificationKey> all() {
        return all;
    }

    /** Vouches for a trail of {@code size} records that end in {@code head}. */
    SignedCheckpoint sign(long size, String head) {
        var checkpoint = new Checkpoint(publicHalf.name(), size, head);
        try {
            var signature = Signature.getInstance(ALGORITHM);
            signature.initSign(key);
            signature.update(checkpoint.text().getBytes(UTF_8));
            var bytes = signature.sign();
            var id = publicHalf.id();
            var both = Arrays.copyOf(id, id.length + bytes.length);
            System.arraycopy(bytes, 0, both, id.length, bytes.length);
            var base64 = Base64.getEncoder().encodeToString(both);
            return new SignedCheckpoint(checkpoint, publicHalf.name(), base64);
        } catch (GeneralSecurityException notThisKey) {
            throw new IllegalArgumentException("the key does not sign", notThisKey);
        }
    }
}
