package io.mcpbridge.message;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.util.Base64;
import java.util.Locale;
import java.util.Optional;

/**
 * The headers of a modern HTTP request that repeat parts of its body, so that proxies can route it without parsing.
 * Stateless.
 *
 * <p>The values are texts, which {@link #encode} turns into values of headers: a text that is not a valid one becomes
 * {@code =?base64?…?=}. A line break in a name therefore cannot inject another header.
 */
public final class MirroredHeaders {
    public static final String VERSION = "MCP-Protocol-Version";
    public static final String METHOD = "Mcp-Method";
    public static final String NAME = "Mcp-Name";

    private static final String BEGIN = "=?base64?";
    private static final String END = "?=";

    private MirroredHeaders() {}

    /** The value of {@link #METHOD}; empty for a response. */
    public static Optional<String> method(Message message) {
        if (message instanceof Request request) {
            return Optional.of(request.method());
        }
        return message instanceof Notification notification ? Optional.of(notification.method()) : Optional.empty();
    }

    /**
     * The value of {@link #NAME}: the tool, prompt, resource or task that the request names; empty for other methods.
     */
    public static Optional<String> name(Message message) {
        return message instanceof Request request ? part(request.method()).flatMap(request::text) : Optional.empty();
    }

    private static Optional<MessageField> part(String method) {
        return switch (method) {
            case Methods.TOOLS_CALL, Methods.PROMPTS_GET -> Optional.of(MessageField.NAME);
            case Methods.RESOURCES_READ -> Optional.of(MessageField.URI);
            case Methods.TASKS_GET, Methods.TASKS_UPDATE, Methods.TASKS_CANCEL -> Optional.of(MessageField.TASK_ID);
            default -> Optional.empty();
        };
    }

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
