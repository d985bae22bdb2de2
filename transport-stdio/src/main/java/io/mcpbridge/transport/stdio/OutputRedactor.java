package io.mcpbridge.transport.stdio;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.mcpbridge.failure.VisibleText;
import io.mcpbridge.spi.KnownSecrets;
import io.mcpbridge.spi.KnownValueFinder;
import io.mcpbridge.spi.SecretSpans;
import java.util.Collection;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Redacts the output of a child for logs and errors: one line, no control characters, no secrets.
 *
 * <p>Secrets are the values of the variables that were configured for the child and the other secrets of the
 * configuration, plain or encoded, values that follow names such as {@code token}, and tokens of well-known issuers. Any
 * thread may use it.
 */
final class OutputRedactor {
    private static final String HIDDEN = "***";
    private static final int SHORTEST_SECRET = 6;
    private static final int MOST_BYTES = 8 << 10;
    private static final Pattern NAMED =
            Pattern.compile("(?i)((?:token|secret|passw(?:or)?d|api[-_]?key|authorization)[\"']?\\s*+[:=]\\s*+"
                    + "(?:bearer\\s++)?|bearer\\s++)\\S+");

    private final KnownValueFinder known;

    OutputRedactor(Collection<String> secrets) {
        var values = secrets.stream()
                .filter(secret -> secret.length() >= SHORTEST_SECRET)
                .distinct()
                .toList();
        this.known = new KnownValueFinder(() -> values);
    }

    /** Hides the values that were configured for a child, and the secrets that the bridge knows when the child starts. */
    static OutputRedactor of(Collection<String> configured, KnownSecrets known) {
        return new OutputRedactor(
                Stream.concat(configured.stream(), known.texts().stream()).toList());
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
        var stripped = text.strip();
        var spans = new SecretSpans();
        known.find(stripped, spans);
        spans.addTokens(stripped);
        var hidden = spans.replaceIn(stripped, stripped.length(), secret -> HIDDEN);
        return VisibleText.line(NAMED.matcher(hidden).replaceAll("$1" + HIDDEN));
    }
}
