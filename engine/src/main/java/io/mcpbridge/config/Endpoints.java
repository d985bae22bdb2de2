package io.mcpbridge.config;

import java.net.URI;
import java.util.Locale;
import java.util.Optional;

/** Parses the URLs that a server may have. */
final class Endpoints {

    private Endpoints() {}

    /** An http, https or unix URL; empty if the text is none. */
    static Optional<URI> parse(String text) {
        return parseHttp(text).or(() -> parse(text, "unix").filter(uri -> uri.getPath() != null));
    }

    /** An http or https URL with a host; empty if the text is none. */
    static Optional<URI> parseHttp(String text) {
        return parse(text, "http").or(() -> parse(text, "https")).filter(uri -> uri.getHost() != null);
    }

    private static Optional<URI> parse(String text, String scheme) {
        if (!text.toLowerCase(Locale.ROOT).startsWith(scheme + ":")) {
            return Optional.empty();
        }
        try {
            return Optional.of(URI.create(text));
        } catch (IllegalArgumentException notAUri) {
            return Optional.empty();
        }
    }
}
