package io.mcpbridge.audit.redact;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.mcpbridge.failure.ConfigurationException;
import io.mcpbridge.files.OwnUser;
import io.mcpbridge.files.PrivateFile;
import io.mcpbridge.files.PrivateFolder;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.SecureRandom;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The secret with which a sink hashes what it does not show. Immutable; never shown itself.
 *
 * <p>Whoever has it can check whether a value that is known stood in a record; nobody else can try values out.
 */
public final class RedactionKey {
    private static final int BYTES = 32;
    private static final String WHAT = "the redaction key";
    private static final HexFormat HEX = HexFormat.of();

    private final byte[] key;
    private final String id;
    private final @Nullable Path file;

    private RedactionKey(byte[] key, @Nullable Path file) {
        if (key.length < BYTES) {
            throw ConfigurationException.of("a key for hashing what is redacted has %d bytes but must have at least %d"
                    .formatted(key.length, BYTES));
        }
        this.key = key.clone();
        this.file = file;
        this.id = new KeyedHash(this.key, "").hexOf("mcp-bridge key id").substring(0, 8);
    }

    /** A key of at least 32 bytes. */
    public static RedactionKey of(byte[] key) {
        return new RedactionKey(key, null);
    }

    /** A key of this process alone: hashes of two runs cannot be compared. */
    public static RedactionKey random() {
        return new RedactionKey(newBytes(), null);
    }

    /**
     * The key in a file of 64 hexadecimal digits or more. Where the file is missing it is a new one, which {@link #keep}
     * puts there.
     *
     * @throws ConfigurationException if it cannot be read, its folder is missing, or it is a symbolic link, belongs to
     *     somebody else, can be read by others, or holds no key
     */
    public static RedactionKey at(Path file) {
        try {
            if (!Files.exists(file, LinkOption.NOFOLLOW_LINKS)) {
                requireFolder(file);
            }
        } catch (IOException unusable) {
            throw unusable(file, unusable);
        }
        return toBeAt(file);
    }

    /** The same, where the folder need not be there before the key is kept. */
    public static RedactionKey toBeAt(Path file) {
        try {
            var own = OwnUser.ofThisProcess();
            var isThere = Files.exists(file, LinkOption.NOFOLLOW_LINKS);
            if (isThere) {
                PrivateFile.check(file, WHAT, own).requireSecret();
            }
            PrivateFolder.of(file, WHAT, own).checkAncestors();
            return isThere ? read(file) : new RedactionKey(newBytes(), file);
        } catch (IOException unusable) {
            throw unusable(file, unusable);
        }
    }

    private static void requireFolder(Path file) throws IOException {
        var folder = file.toAbsolutePath().getParent();
        if (folder == null || !Files.isDirectory(folder)) {
            throw new NoSuchFileException(String.valueOf(folder));
        }
    }

    private static ConfigurationException unusable(Path file, IOException why) {
        return ConfigurationException.of("the redaction key '%s' cannot be used (%s); it must be a file of 64"
                        .formatted(file, why.getClass().getSimpleName())
                + " hexadecimal digits that the bridge may read, in a folder where it may write");
    }

    /**
     * Puts a key whose file is missing there, for its owner alone, before anything is hashed with it.
     *
     * @return whether the file was missing
     * @throws ConfigurationException if it cannot be made, or another key has come there meanwhile
     */
    public boolean keep() {
        var place = file;
        if (place == null) {
            return false;
        }
        try {
            if (make(place)) {
                return true;
            }
            if (isIn(place)) {
                return false;
            }
            throw ConfigurationException.of(
                    "the redaction key '%s' was made by another process at this moment; start again".formatted(place));
        } catch (IOException failed) {
            throw unusable(place, failed);
        }
    }

    /** Whether a file holds this key; one that another process has not written to its end holds none yet. */
    private boolean isIn(Path file) throws IOException {
        try {
            return read(file).equals(this);
        } catch (ConfigurationException notYet) {
            return false;
        }
    }

    /** Whether it is there when the process ends and another one begins. */
    public boolean isLasting() {
        return file != null;
    }

    /** Names the key in what it has hashed; tells nothing about it. */
    public String id() {
        return id;
    }

    /** Hashes with this key; one thread at a time may use what is returned. */
    public KeyedHash hash() {
        return new KeyedHash(key, "hmac-sha256:" + id + ":");
    }

    private static byte[] newBytes() {
        var bytes = new byte[BYTES];
        new SecureRandom().nextBytes(bytes);
        return bytes;
    }

    /** Whether nothing was there. */
    private boolean make(Path file) throws IOException {
        var owner = PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"));
        var options = Set.of(StandardOpenOption.WRITE, StandardOpenOption.CREATE_NEW, LinkOption.NOFOLLOW_LINKS);
        try (var channel = FileChannel.open(file, options, owner)) {
            var text = ByteBuffer.wrap((HEX.formatHex(key) + "\n").getBytes(US_ASCII));
            while (text.hasRemaining()) {
                var unused = channel.write(text);
            }
            channel.force(true);
            return true;
        } catch (FileAlreadyExistsException isThere) {
            return false;
        }
    }

    private static RedactionKey read(Path file) throws IOException {
        try (var in = Files.newInputStream(file, LinkOption.NOFOLLOW_LINKS)) {
            var text = new String(in.readNBytes(4 * BYTES + 2), US_ASCII);
            return new RedactionKey(HEX.parseHex(text.strip()), file);
        } catch (IllegalArgumentException notHex) {
            throw ConfigurationException.of(
                    "the redaction key '%s' must consist of 64 hexadecimal digits or more".formatted(file));
        }
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof RedactionKey that && Arrays.equals(that.key, key);
    }

    @Override
    public int hashCode() {
        return id.hashCode();
    }

    @Override
    public String toString() {
        return "key " + id;
    }
}
