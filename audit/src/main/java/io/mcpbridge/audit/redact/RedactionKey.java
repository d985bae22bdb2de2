package io.mcpbridge.audit.redact;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.nio.charset.StandardCharsets.UTF_8;

import io.mcpbridge.failure.ConfigurationException;
import io.mcpbridge.failure.ErrorText;
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
import java.security.GeneralSecurityException;
import java.security.SecureRandom;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.jspecify.annotations.Nullable;

/**
 * The secret key with which a sink hashes redacted values. Immutable; no method reveals it.
 *
 * <p>A holder of the key can check whether a known value was in a record; without the key, values cannot be guessed.
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
            throw ConfigurationException.of(
                    "a redaction key has %d bytes but must have at least %d".formatted(key.length, BYTES));
        }
        this.key = key.clone();
        this.file = file;
        this.id = new KeyedHash(this.key, "").of("mcp-bridge key id").substring(0, 8);
    }

    /** A key of at least 32 bytes. */
    public static RedactionKey of(byte[] key) {
        return new RedactionKey(key, null);
    }

    /** A random key for this process: hashes of two runs cannot be compared. */
    public static RedactionKey random() {
        return new RedactionKey(newBytes(), null);
    }

    /**
     * The key in a file of 64 hexadecimal digits or more. If the file is missing, a new key, which {@link #keep}
     * writes.
     *
     * @throws ConfigurationException if it cannot be read, its folder is missing, or it is a symbolic link, belongs to
     *     another user, can be read by others, or has no key
     */
    public static RedactionKey at(Path file) {
        var folder = file.toAbsolutePath().getParent();
        if (!exists(file) && (folder == null || !Files.isDirectory(folder))) {
            throw unusable(file, new NoSuchFileException(String.valueOf(folder)));
        }
        return toBeAt(file);
    }

    /** Like {@link #at}, but the folder may be missing until the key is written. */
    public static RedactionKey toBeAt(Path file) {
        try {
            var own = OwnUser.ofThisProcess();
            if (exists(file)) {
                PrivateFile.check(file, WHAT, own).requireSecret();
            }
            PrivateFolder.of(file, WHAT, own).checkAncestors();
            return exists(file) ? read(file) : new RedactionKey(newBytes(), file);
        } catch (IOException e) {
            throw unusable(file, e);
        }
    }

    private static boolean exists(Path file) {
        return Files.exists(file, LinkOption.NOFOLLOW_LINKS);
    }

    private static ConfigurationException unusable(Path file, IOException why) {
        return ConfigurationException.of(
                "the redaction key '%s' cannot be used (%s); it must be a file of 64".formatted(file, ErrorText.of(why))
                        + " hexadecimal digits that the bridge may read, in a folder where it may write");
    }

    /**
     * Writes the key with mode 0600 if its file is missing. Call it before the first hash.
     *
     * @return whether the file was missing
     * @throws ConfigurationException if it cannot be written, or another process has written a key meanwhile
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
        } catch (IOException e) {
            throw unusable(place, e);
        }
    }

    /** Whether a file has this key; another process may still be writing it. */
    private boolean isIn(Path file) throws IOException {
        try {
            return read(file).equals(this);
        } catch (ConfigurationException e) {
            return false;
        }
    }

    /** The id of the key in its hashes; it does not reveal the key. */
    public String id() {
        return id;
    }

    /** Makes a hash function with this key. */
    public KeyedHash hash() {
        return new KeyedHash(key, "hmac-sha256:" + id + ":");
    }

    private static byte[] newBytes() {
        var bytes = new byte[BYTES];
        new SecureRandom().nextBytes(bytes);
        return bytes;
    }

    /** Writes the file; returns whether it was missing. */
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
        } catch (FileAlreadyExistsException e) {
            return false;
        }
    }

    private static RedactionKey read(Path file) throws IOException {
        try (var in = Files.newInputStream(file, LinkOption.NOFOLLOW_LINKS)) {
            var text = new String(in.readNBytes(4 * BYTES + 2), US_ASCII);
            return new RedactionKey(HEX.parseHex(text.strip()), file);
        } catch (IllegalArgumentException e) {
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

    /** HMAC-SHA-256 with the key of a sink, as {@code hmac-sha256:<key id>:<64 hexadecimal digits>}. Any thread may use it. */
    public static final class KeyedHash {
        private static final String ALGORITHM = "HmacSHA256";
        private static final int HASH_DIGITS = 64;

        private final SecretKeySpec key;
        private final String prefix;

        /** Functions for one thread each; as many as threads have hashed at a time. */
        private final Queue<Mac> idle = new ConcurrentLinkedQueue<>();

        KeyedHash(byte[] key, String prefix) {
            this.key = new SecretKeySpec(key, ALGORITHM);
            this.prefix = prefix;
        }

        private Mac newMac() {
            try {
                var mac = Mac.getInstance(ALGORITHM);
                mac.init(key);
                return mac;
            } catch (GeneralSecurityException e) {
                throw new IllegalStateException("every Java platform has " + ALGORITHM, e);
            }
        }

        /** The hash of a text in UTF-8. */
        public String of(String text) {
            return of(ByteBuffer.wrap(text.getBytes(UTF_8)));
        }

        /** The hash of a text, or the text itself if it is such a hash already. */
        String once(String text) {
            return text.length() == prefix.length() + HASH_DIGITS
                            && text.startsWith(prefix)
                            && text.chars().skip(prefix.length()).allMatch(c -> Character.digit(c, 16) >= 0)
                    ? text
                    : of(text);
        }

        /** The hash of what remains in a buffer. */
        public String of(ByteBuffer bytes) {
            var pooled = idle.poll();
            var mac = pooled == null ? newMac() : pooled;
            mac.update(bytes);
            var digest = mac.doFinal();
            idle.add(mac);
            // One array, since each record of a call has a hash.
            var text = Arrays.copyOf(prefix.getBytes(US_ASCII), prefix.length() + HASH_DIGITS);
            int end = prefix.length();
            for (byte each : digest) {
                text[end++] = (byte) HEX.toHighHexDigit(each);
                text[end++] = (byte) HEX.toLowHexDigit(each);
            }
            return new String(text, US_ASCII);
        }
    }
}
