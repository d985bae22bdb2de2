package io.mcpbridge.message;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.util.Base64;
import java.util.Locale;
import java.util.Optional;

/**
 * Encodes texts as values of HTTP headers: a text that is not a valid header value becomes {@code =?base64?…?=}.
 *
 * <p>A line break in a name therefore cannot inject another header.
 */
public final class HeaderText {
    private static final String BEGIN = "=?base64?";
    private static final String END = "?=";

    private HeaderText() {}

    /** Encodes the text as a header value. */
    public static String encode(String text) {
        return isPlain(text) ? text : BEGIN + Base64.getEncoder().encodeToString(text.getBytes(UTF_8)) + END;
    }

    /** Decodes a header value; empty if it begins like an encoded value but is not a valid one. */
    public static Optional<String> decode(String value) {
        if (!value.startsWith(BEGIN) || !value.endsWith(END) || value.length() < BEGIN.length() + END.length()) {
            return Optional.of(value);
        }
        try {
            var encoded = value.substring(BEGIN.length(), value.length() - END.length());
            var bytes = Base64.getDecoder().decode(encoded);
            // The decoder also accepts a text without padding; the specification does not.
            if (!Base64.getEncoder().encodeToString(bytes).equals(encoded)) {
                return Optional.empty();
            }
            return Optional.of(UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString());
        } catch (IllegalArgumentException | CharacterCodingException neitherBase64NorText) {
            return Optional.empty();
        }
    }

    private static boolean isPlain(String text) {
        return text.chars().allMatch(c -> (c >= ' ' && c < 0x7f) || c == '\t')
                && text.strip().length() == text.length()
                && !looksEncoded(text.toLowerCase(Locale.ROOT));
    }

    private static boolean looksEncoded(String folded) {
        return folded.startsWith(BEGIN) && folded.endsWith(END);
    }
}
