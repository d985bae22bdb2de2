package io.mcpbridge.audit.file;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.nio.charset.StandardCharsets.UTF_8;

import io.mcpbridge.audit.verify.Checkpoint;
import io.mcpbridge.audit.verify.SignedCheckpoint;
import io.mcpbridge.audit.verify.VerificationKey;
import io.mcpbridge.failure.ConfigurationException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.KeyPairGenerator;
import java.security.MessageDigest;
import java.security.PrivateKey;
import java.security.Signature;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.Arrays;
import java.util.Base64;
import java.util.HexFormat;

/**
 * The Ed25519 key that signs checkpoints. It lies outside of the trail, for us alone to read, and its public half,
 * which whoever verifies needs, beside it in {@code <name>.pub}.
 */
final class SigningKey {
    private static final String ALGORITHM = "Ed25519";
    private static final String BEGIN = "-----BEGIN PRIVATE KEY-----";
    private static final String END = "-----END PRIVATE KEY-----";
    private static final int ID_BYTES = 8;

    private final PrivateKey key;
    private final VerificationKey publicHalf;

    private SigningKey(PrivateKey key, VerificationKey publicHalf) {
        this.key = key;
        this.publicHalf = publicHalf;
    }

    /**
     * Reads the key and its public half, and makes them where both are missing.
     *
     * @throws ConfigurationException if what lies there is no key of ours alone
     */
    static SigningKey readOrMake(Path file, Disk disk) throws IOException {
        AuditDirectory.checkFileOf(file);
        var publicFile = publicFile(file);
        if (!Files.exists(file, LinkOption.NOFOLLOW_LINKS)) {
            make(file, publicFile, disk);
        }
        return read(file, publicFile);
    }

    /** Where the public half of the key in {@code file} lies. */
    static Path publicFile(Path file) {
        var name = String.valueOf(file.getFileName());
        return file.resolveSibling((name.endsWith(".key") ? name.substring(0, name.length() - 4) : name) + ".pub");
    }

    /** The public half first: a private key without it could not be used after a crash between the two. */
    private static void make(Path file, Path publicFile, Disk disk) throws IOException {
        try {
            var pair = KeyPairGenerator.getInstance(ALGORITHM).generateKeyPair();
            var hash =
                    MessageDigest.getInstance("SHA-256").digest(pair.getPublic().getEncoded());
            var name = "mcp-bridge-audit-" + HexFormat.of().formatHex(hash, 0, ID_BYTES);
            var base64 = Base64.getMimeEncoder(64, new byte[] {'\n'});
            var pem = BEGIN + "\n" + base64.encodeToString(pair.getPrivate().getEncoded()) + "\n" + END + "\n";
            write(publicFile, VerificationKey.of(name, pair.getPublic()) + "\n", disk);
            write(file, pem, disk);
            disk.force(folderOf(file));
        } catch (GeneralSecurityException missing) {
            throw new IOException("this Java makes no Ed25519 keys", missing);
        }
    }

    private static void write(Path file, String text, Disk disk) throws IOException {
        Files.createDirectories(folderOf(file));
        var beside = file.resolveSibling(file.getFileName() + ".new");
        try (var appended = new AppendedFile(disk.open(beside), 0)) {
            appended.cut(0);
            appended.append(ByteBuffer.wrap(text.getBytes(UTF_8)));
            appended.force();
        }
        Files.move(beside, file, StandardCopyOption.ATOMIC_MOVE);
    }

    private static Path folderOf(Path file) {
        var parent = file.toAbsolutePath().getParent();
        return parent == null ? file.toAbsolutePath() : parent;
    }

    private static SigningKey read(Path file, Path publicFile) throws IOException {
        try {
            var pem = Files.readString(file, US_ASCII).replace(BEGIN, "").replace(END, "");
            var encoded = Base64.getMimeDecoder().decode(pem);
            var key = KeyFactory.getInstance(ALGORITHM).generatePrivate(new PKCS8EncodedKeySpec(encoded));
            var signing = new SigningKey(key, VerificationKey.read(publicFile).get(0));
            var trial = signing.sign(0, "0".repeat(64));
            if (!signing.publicHalf.vouchesFor(trial)) {
                throw new IllegalArgumentException("'%s' is not its public half".formatted(publicFile));
            }
            return signing;
        } catch (GeneralSecurityException | IllegalArgumentException unfit) {
            throw ConfigurationException.of(
                    "'key' names '%s', which is no Ed25519 key with its public half in '%s': %s; give one, or remove both and new ones are made"
                            .formatted(file, publicFile, unfit.getMessage()));
        }
    }

    VerificationKey publicHalf() {
        return publicHalf;
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
