package io.mcpbridge.audit.redact;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;

import io.mcpbridge.audit.internal.json.Digits;
import java.nio.ByteBuffer;
import java.security.GeneralSecurityException;
import java.util.Arrays;
import java.util.HexFormat;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/** HMAC-SHA-256 with the key of a sink, as {@code hmac-sha256:<key id>:<64 hexadecimal digits>}. One thread at a time. */
public final class KeyedHash {
    private static final String ALGORITHM = "HmacSHA256";
    private static final int CHUNK = 8_192;
    private static final int HASH_DIGITS = 64;

    private final Mac mac;
    private final byte[] prefix;

    KeyedHash(byte[] key, String prefix) {
        this.prefix = prefix.getBytes(ISO_8859_1);
        try {
            this.mac = Mac.getInstance(ALGORITHM);
            mac.init(new SecretKeySpec(key, ALGORITHM));
        } catch (GeneralSecurityException impossible) {
            throw new IllegalStateException("every Java platform has " + ALGORITHM, impossible);
        }
    }

    /** The hash of a text in UTF-8. */
    public String of(String text) {
        update(text);
        return prefixed(mac.doFinal());
    }

    /** The hash of a text, or the text itself where it is one already, as that of a text within a text may be. */
    String once(String text) {
        return text.length() == prefix.length + HASH_DIGITS
                        && text.startsWith(new String(prefix, ISO_8859_1))
                        && text.chars().skip(prefix.length).allMatch(Characters::isHex)
                ? text
                : of(text);
    }

    /** The hash of what remains in a buffer. */
    public String of(ByteBuffer bytes) {
        mac.update(bytes);
        return prefixed(mac.doFinal());
    }

    /** The same without saying of which key it is. */
    String hexOf(String text) {
        update(text);
        return HexFormat.of().formatHex(mac.doFinal());
    }

    private void update(String text) {
        // In pieces, so that a long text is not copied as a whole.
        int at = 0;
        while (text.length() - at > CHUNK) {
            int end = Character.isHighSurrogate(text.charAt(at + CHUNK - 1)) ? at + CHUNK - 1 : at + CHUNK;
            mac.update(text.substring(at, end).getBytes(UTF_8));
            at = end;
        }
        mac.update((at == 0 ? text : text.substring(at)).getBytes(UTF_8));
    }

    private String prefixed(byte[] hash) {
        var both = Arrays.copyOf(prefix, prefix.length + HASH_DIGITS);
        Digits.writeHex(hash, both, prefix.length);
        return new String(both, ISO_8859_1);
    }
}
