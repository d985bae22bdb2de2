package io.mcpbridge.engine.translation;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.SecureRandom;
import java.util.Arrays;
import java.util.Base64;
import java.util.HexFormat;
import java.util.Optional;
import javax.crypto.Cipher;
import javax.crypto.spec.GCMParameterSpec;
import javax.crypto.spec.SecretKeySpec;

/**
 * Seals texts with AES-256-GCM (NIST SP 800-38D) under a key that lives as long as this object. Any thread.
 *
 * <p>The ciphers of the JDK are loaded for the first text, since to load them takes a tenth of the start of a program.
 *
 * <p>A sealed text opens only with the purpose and the binding of its sealing. An expiry is part of the sealed content.
 */
public final class Seal {
    /** The start of every sealed text, which distinguishes it from texts of peers. */
    public static final String PREFIX = "mcpb1.";

    private static final int KEY_BYTES = 32;
    private static final int NONCE_BYTES = 12;
    private static final int TAG_BITS = 128;

    private final SecureRandom random = new SecureRandom();
    private final byte[] key = random(KEY_BYTES);

    /** The start of the texts of this seal: the prefix, and an id of the key. */
    private final String head = PREFIX + HexFormat.of().formatHex(random(4)) + ".";

    /** Makes a seal with a new key. */
    public Seal() {}

    private static IllegalStateException missing(GeneralSecurityException cause) {
        return new IllegalStateException("this Java runtime has no AES, which every one must have", cause);
    }

    private byte[] random(int count) {
        var bytes = new byte[count];
        random.nextBytes(bytes);
        return bytes;
    }

    /** Whether {@code text} has the form of a sealed text, of this process or an earlier one. */
    public static boolean isSealed(String text) {
        return text.startsWith(PREFIX);
    }

    /**
     * Seals {@code content}.
     *
     * @param purpose the use of the text, such as {@code cursor}
     * @param binding what must be equal when it is opened, such as the principal and the method
     */
    public String seal(String purpose, String binding, String content) {
        var nonce = random(NONCE_BYTES);
        try {
            var sealed = crypt(Cipher.ENCRYPT_MODE, nonce, purpose, binding, content.getBytes(StandardCharsets.UTF_8));
            var bytes = Arrays.copyOf(nonce, nonce.length + sealed.length);
            System.arraycopy(sealed, 0, bytes, nonce.length, sealed.length);
            return head + encode(bytes);
        } catch (GeneralSecurityException missing) {
            throw missing(missing);
        }
    }

    private static String encode(byte[] bytes) {
        return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
    }

    /** Opens what {@link #seal} made with the same purpose and binding; empty for anything else. */
    public Optional<String> open(String purpose, String binding, String text) {
        if (!text.startsWith(head)) {
            return Optional.empty();
        }
        try {
            var encoded = text.substring(head.length());
            var bytes = Base64.getUrlDecoder().decode(encoded);
            // Decoding ignores some bits of the last character; a text that differs in them is changed, too.
            if (bytes.length <= NONCE_BYTES || !encode(bytes).equals(encoded)) {
                return Optional.empty();
            }
            var nonce = Arrays.copyOf(bytes, NONCE_BYTES);
            var sealed = Arrays.copyOfRange(bytes, NONCE_BYTES, bytes.length);
            var content = crypt(Cipher.DECRYPT_MODE, nonce, purpose, binding, sealed);
            return Optional.of(new String(content, StandardCharsets.UTF_8));
        } catch (IllegalArgumentException | GeneralSecurityException notOurs) {
            return Optional.empty();
        }
    }

    private byte[] crypt(int mode, byte[] nonce, String purpose, String binding, byte[] input)
            throws GeneralSecurityException {
        var cipher = Cipher.getInstance("AES/GCM/NoPadding");
        cipher.init(mode, new SecretKeySpec(key, "AES"), new GCMParameterSpec(TAG_BITS, nonce));
        cipher.updateAAD((purpose + "\0" + binding).getBytes(StandardCharsets.UTF_8));
        return cipher.doFinal(input);
    }
}
