package io.mcpbridge.transport.stdio;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.mcpbridge.failure.VisibleText;
import io.mcpbridge.spi.KnownSecrets;
import java.net.URLEncoder;
import java.util.Base64;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Redacts the output of a child for logs and errors: one line, no control characters, no secrets.
 *
 * <p>Secrets are the values of the variables that were configured for the child and the other secrets of the
 * configuration, plain or encoded, as well as values that follow names such as {@code token}, and long words with
 * digits. Any thread may use it.
 */
final class OutputRedactor {
    private static final String HIDDEN = "***";
    private static final int SHORTEST_SECRET = 6;
    private static final int MOST_BYTES = 8 << 10;
    private static final Pattern NAMED =
            Pattern.compile("(?i)((?:token|secret|passw(?:or)?d|api[-_]?key|authorization)[\"']?\\s*+[:=]\\s*+"
                    + "(?:bearer\\s++)?|bearer\\s++)\\S+");
    private static final Pattern LONG_WORD = Pattern.compile("(?=[A-Za-z+/_-]{0,64}\\d)[A-Za-z0-9+/_-]{24,}={0,2}");

    private final List<String> secrets;

    OutputRedactor(Collection<String> secrets) {
        this.secrets = secrets.stream()
                .filter(secret -> secret.length() >= SHORTEST_SECRET)
                .flatMap(OutputRedactor::forms)
                .distinct()
                // Longest first: a secret may be the prefix of a longer one, whose rest would stay visible.
                .sorted(Comparator.comparingInt(String::length).reversed())
                .toList();
    }

    /** Returns the secret, URL-encoded, and in Base64 without padding. */
    private static Stream<String> forms(String secret) {
        var form = URLEncoder.encode(secret, UTF_8);
        var bytes = secret.getBytes(UTF_8);
        return Stream.of(
                secret,
                form,
                form.replace("+", "%20"),
                Base64.getEncoder().withoutPadding().encodeToString(bytes),
                Base64.getUrlEncoder().withoutPadding().encodeToString(bytes));
    }

    /** Hides the values that were configured for a child, and the secrets that the bridge knows when the child starts. */
    static OutputRedactor of(Collection<String> configured, KnownSecrets known) {
        return new OutputRedactor(Stream.concat(configured.stream(), known.texts().stream())
                .distinct()
                .toList());
    }

    /** Returns the first characters, redacted. */
    String beginning(byte[] bytes, int length) {
        var text = redact(new String(bytes, 0, Math.min(bytes.length, MOST_BYTES), UTF_8));
        return text.length() <= length && bytes.length <= MOST_BYTES
                ? text
                : text.substring(0, Math.min(length, text.length())) + "...";
    }

    /** Returns the last characters, redacted. */
    String ending(byte[] bytes, int length) {
        var from = Math.max(0, bytes.length - MOST_BYTES);
        var text = redact(new String(bytes, from, bytes.length - from, UTF_8));
        return text.length() <= length && from == 0
                ? text
                : "..." + text.substring(Math.max(0, text.length() - length));
    }

    /** Redacts the whole text before it is cut, so that no part of a secret stays visible at the cut. */
    private String redact(String text) {
        var hidden = text.strip();
        for (var secret : secrets) {
            hidden = hidden.replace(secret, HIDDEN);
        }
        hidden = NAMED.matcher(hidden).replaceAll("$1" + HIDDEN);
        return VisibleText.line(LONG_WORD.matcher(hidden).replaceAll(HIDDEN));
    }
}
