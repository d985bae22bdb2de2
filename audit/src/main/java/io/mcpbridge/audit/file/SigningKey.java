package io.mcpbridge.audit.file;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.nio.charset.StandardCharsets.UTF_8;

import io.mcpbridge.audit.file.TrailFileSystem.AppendedFile;
import io.mcpbridge.audit.record.ChainHead;
import io.mcpbridge.audit.verify.SignedCheckpoint;
import io.mcpbridge.audit.verify.VerificationKey;
import io.mcpbridge.failure.ConfigurationException;
import io.mcpbridge.files.OwnUser;
import io.mcpbridge.files.PrivateFile;
import io.mcpbridge.files.PrivateFolder;
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
import java.security.spec.InvalidKeySpecException;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.Arrays;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The Ed25519 key that signs checkpoints. Immutable.
 *
 * <p>Its file is outside of the trail and readable for our user alone. {@code <name>.pub} beside it has its public half
 * and those of earlier keys, which a verifier needs. A lost key is replaced only on request, because its public half
 * verifies what it signed: an operator renames {@code <name>.pub} to {@code <name>.pub.old} to get a new key.
 *
 * @param all the public halves of this key and of the keys that signed the trail before it
 */
record SigningKey(PrivateKey key, VerificationKey publicHalf, List<VerificationKey> all) {
    private static final String ALGORITHM = "Ed25519";
    private static final String BEGIN = "-----BEGIN PRIVATE KEY-----";
    private static final String END = "-----END PRIVATE KEY-----";
    private static final int ID_BYTES = 8;

    SigningKey {
        all = List.copyOf(all);
    }

    /**
     * Checks the key or, if it is missing, its folder; creates no file.
     *
     * @throws ConfigurationException if the file has no key, or other users could read or replace it
     */
    static void check(Path file, OwnUser own) throws IOException {
        var files = new KeyFiles(file, TrailFileSystem.ofTheSystem());
        if (KeyFiles.exists(file)) {
            PrivateFile.check(file, "the signing key", own).requireSecret();
        } else {
            files.requireNoPublicHalf();
        }
        PrivateFolder.of(file, "the signing key", own).checkAncestors();
        if (KeyFiles.exists(files.publicFile)) {
            PrivateFile.check(files.publicFile, "the public half of the signing key", own);
            var unused = files.read();
        }
    }

    /**
     * Reads the key and its public half, and creates both if both are missing.
     *
     * @throws ConfigurationException if it is not a key of our user alone
     */
    static SigningKey readOrMake(Path file, TrailFileSystem disk, OwnUser own) throws IOException {
        var files = new KeyFiles(file, disk);
        if (!KeyFiles.exists(file)) {
            files.make();
        }
        PrivateFile.check(file, "the signing key", own).requireSecret();
        files.finishMaking();
        PrivateFile.check(files.publicFile, "the public half of the signing key", own);
        return files.read();
    }

    /** Whether there is no key and no public half of it or of an earlier key. */
    static boolean areMissing(Path file) {
        var files = new KeyFiles(file, TrailFileSystem.ofTheSystem());
        return !KeyFiles.exists(file) && !KeyFiles.exists(files.publicFile) && !KeyFiles.exists(files.oldFile());
    }

    /** The file of the public half of the key in {@code file}. */
    static Path publicFile(Path file) {
        var name = String.valueOf(file.getFileName());
        return file.resolveSibling((name.endsWith(".key") ? name.substring(0, name.length() - 4) : name) + ".pub");
    }

    /** The key in its text form, with its public half and those of the keys before it. */
    static SigningKey parse(String pem, List<VerificationKey> publicHalves) throws GeneralSecurityException {
        var key = read(pem);
        for (var half : publicHalves) {
            var signing = new SigningKey(key, half, publicHalves);
            if (half.verifies(signing.sign(ChainHead.START))) {
                return signing;
            }
        }
        throw new IllegalArgumentException("none of its public halves belongs to it");
    }

    private static PrivateKey read(String pem) throws GeneralSecurityException {
        try {
            var encoded = Base64.getMimeDecoder().decode(pem.replace(BEGIN, "").replace(END, ""));
            return KeyFactory.getInstance(ALGORITHM).generatePrivate(new PKCS8EncodedKeySpec(encoded));
        } catch (IllegalArgumentException | InvalidKeySpecException e) {
            throw new IllegalArgumentException("it is damaged, or not a key in the form '%s …'".formatted(BEGIN), e);
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

    /** A new key. */
    record Made(String pem, VerificationKey publicHalf) {}

    /** Signs a checkpoint that covers the records up to {@code head}. */
    SignedCheckpoint sign(ChainHead head) {
        try {
            var signature = Signature.getInstance(ALGORITHM);
            signature.initSign(key);
            signature.update(SignedCheckpoint.signedBytes(publicHalf.name(), head));
            var bytes = signature.sign();
            var id = publicHalf.id();
            var both = Arrays.copyOf(id, id.length + bytes.length);
            System.arraycopy(bytes, 0, both, id.length, bytes.length);
            var base64 = Base64.getEncoder().encodeToString(both);
            return new SignedCheckpoint(publicHalf.name(), head, publicHalf.name(), base64);
        } catch (GeneralSecurityException e) {
            throw new IllegalArgumentException("the key cannot sign", e);
        }
    }

    /** Without the private key. */
    @Override
    public String toString() {
        return publicHalf.name();
    }

    /** The files of one key. */
    private record KeyFiles(Path file, Path publicFile, TrailFileSystem disk) {
        private static final long LONGEST = 64 << 10;

        private KeyFiles(Path file, TrailFileSystem disk) {
            this(file, SigningKey.publicFile(file), disk);
        }

        private static boolean exists(Path path) {
            return Files.exists(path, LinkOption.NOFOLLOW_LINKS);
        }

        private void requireNoPublicHalf() {
            if (exists(publicFile)) {
                throw ConfigurationException.of(
                        "the signing key '%s' is missing, but its public half '%s' is there and belongs to signed checkpoints: bring the key back, or, if it is lost for good, rename '%s' to '%s': then a new key is made, the old half is kept for the old checkpoints, and a note in the trail says so"
                                .formatted(
                                        file,
                                        publicFile,
                                        publicFile.getFileName(),
                                        oldFile().getFileName()));
            }
        }

        /**
         * Writes both halves to temporary files, then renames the private one; the next start may rename the public
         * one.
         */
        private void make() throws IOException {
            requireNoPublicHalf();
            try {
                var made = SigningKey.make();
                var halves = Stream.concat(Stream.of(made.publicHalf()), older().stream());
                Files.createDirectories(folder());
                write(publicFile, halves.map(half -> half + "\n").collect(Collectors.joining()));
                write(file, made.pem());
                Files.move(beside(file), file, StandardCopyOption.ATOMIC_MOVE);
            } catch (GeneralSecurityException e) {
                throw new IOException("this Java makes no Ed25519 keys", e);
            }
        }

        private void finishMaking() throws IOException {
            if (exists(publicFile)) {
                return;
            }
            if (!exists(beside(publicFile))) {
                throw ConfigurationException.of(
                        "the public half '%s' of the signing key '%s' is missing: bring it back from where trails are verified"
                                .formatted(publicFile, file));
            }
            Files.move(beside(publicFile), publicFile, StandardCopyOption.ATOMIC_MOVE);
            disk.force(folder());
        }

        private List<VerificationKey> older() throws IOException {
            try {
                return exists(oldFile()) ? VerificationKey.read(oldFile()) : List.of();
            } catch (IllegalArgumentException e) {
                throw ConfigurationException.of("'%s' must hold the public halves of older signing keys: %s"
                        .formatted(oldFile(), e.getMessage()));
            }
        }

        private Path oldFile() {
            return publicFile.resolveSibling(publicFile.getFileName() + ".old");
        }

        private static Path beside(Path path) {
            return path.resolveSibling(path.getFileName() + ".new");
        }

        private void write(Path target, String text) throws IOException {
            try (var appended = new AppendedFile(disk.open(beside(target)), 0)) {
                appended.cut(0);
                appended.append(ByteBuffer.wrap(text.getBytes(UTF_8)));
                appended.force();
            }
        }

        private Path folder() {
            var parent = file.toAbsolutePath().getParent();
            return parent == null ? file.toAbsolutePath() : parent;
        }

        private SigningKey read() throws IOException {
            try {
                if (Files.size(file) > LONGEST || Files.size(publicFile) > LONGEST) {
                    throw new IllegalArgumentException("it is too long");
                }
                return SigningKey.parse(
                        new String(Files.readAllBytes(file), US_ASCII), VerificationKey.read(publicFile));
            } catch (GeneralSecurityException | IllegalArgumentException e) {
                throw ConfigurationException.of(
                        "'key' names '%s', which is not an Ed25519 key with its public half in '%s': %s; name another one, or bring both back"
                                .formatted(file, publicFile, e.getMessage()));
            }
        }
    }
}
