package io.mcpbridge.audit.file;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.nio.charset.StandardCharsets.UTF_8;

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
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Where the signing key lies: outside of the trail, for us alone to read, and beside it in {@code <name>.pub} its public
 * half, which whoever verifies needs, with those of the keys before it.
 *
 * <p>A key that is lost is never replaced unasked, since its public half vouches for what it signed. Whoever renames that to
 * {@code <name>.pub.old} asks for a new one.
 */
final class SigningKeyFiles {
    private static final long LONGEST = 64 << 10;

    private final Path file;
    private final Path publicFile;
    private final Disk disk;

    private SigningKeyFiles(Path file, Disk disk) {
        this.file = file;
        this.publicFile = publicFile(file);
        this.disk = disk;
    }

    /**
     * Checks the key that is there, or where it would be made, and makes nothing.
     *
     * @throws ConfigurationException if what lies there is no key of ours alone, or others could put another in its place
     */
    static void check(Path file, OwnUser own) throws IOException {
        var files = new SigningKeyFiles(file, Disk.ofTheSystem());
        if (exists(file)) {
            PrivateFile.check(file, "the signing key", own).requireSecret();
        } else {
            files.requireNoPublicHalf();
        }
        PrivateFolder.of(file, "the signing key", own).checkAncestors();
        if (exists(files.publicFile)) {
            PrivateFile.check(files.publicFile, "the public half of the signing key", own);
            var unused = files.read();
        }
    }

    /**
     * Reads the key and its public half, and makes them where both are missing.
     *
     * @throws ConfigurationException if what lies there is no key of ours alone
     */
    static SigningKey readOrMake(Path file, Disk disk, OwnUser own) throws IOException {
        var files = new SigningKeyFiles(file, disk);
        if (!exists(file)) {
            files.make();
        }
        PrivateFile.check(file, "the signing key", own).requireSecret();
        files.finishMaking();
        PrivateFile.check(files.publicFile, "the public half of the signing key", own);
        return files.read();
    }

    /** Whether there is nothing of a key yet, nor of one before it: to begin a trail makes one. */
    static boolean areMissing(Path file) {
        var files = new SigningKeyFiles(file, Disk.ofTheSystem());
        return !exists(file) && !exists(files.publicFile) && !exists(files.oldFile());
    }

    /** Where the public half of the key in {@code file} lies. */
    static Path publicFile(Path file) {
        var name = String.valueOf(file.getFileName());
        return file.resolveSibling((name.endsWith(".key") ? name.substring(0, name.length() - 4) : name) + ".pub");
    }

    private static boolean exists(Path path) {
        return Files.exists(path, LinkOption.NOFOLLOW_LINKS);
    }

    private void requireNoPublicHalf() {
        if (exists(publicFile)) {
            throw ConfigurationException.of(
                    "the signing key '%s' is missing, but its public half '%s' is there and vouches for what it signed: bring the key back, or, if it is lost for good, rename '%s' to '%s': then a new key is made, the old half is kept for the old checkpoints, and the trail says so"
                            .formatted(
                                    file,
                                    publicFile,
                                    publicFile.getFileName(),
                                    oldFile().getFileName()));
        }
    }

    /** Both halves are written whole before the first gets its name; the second is the one that may be late. */
    private void make() throws IOException {
        requireNoPublicHalf();
        try {
            var made = SigningKey.make();
            var halves = Stream.concat(Stream.of(made.publicHalf()), older().stream());
            Files.createDirectories(folder());
            write(publicFile, halves.map(half -> half + "\n").collect(Collectors.joining()));
            write(file, made.pem());
            Files.move(beside(file), file, StandardCopyOption.ATOMIC_MOVE);
        } catch (GeneralSecurityException missing) {
            throw new IOException("this Java makes no Ed25519 keys", missing);
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
        } catch (IllegalArgumentException unfit) {
            throw ConfigurationException.of("'%s' must hold the public halves of older signing keys: %s"
                    .formatted(oldFile(), unfit.getMessage()));
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
                throw new IllegalArgumentException("it is too long for one");
            }
            return SigningKey.parse(new String(Files.readAllBytes(file), US_ASCII), VerificationKey.read(publicFile));
        } catch (GeneralSecurityException | IllegalArgumentException unfit) {
            throw ConfigurationException.of(
                    "'key' names '%s', which is no Ed25519 key with its public half in '%s': %s; name another one, or bring both back"
                            .formatted(file, publicFile, unfit.getMessage()));
        }
    }
}
