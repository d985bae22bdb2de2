package io.mcpbridge.audit.redact;

import io.mcpbridge.spi.Settings;
import java.util.List;

/**
 * The settings for redaction beyond the secrets that are always redacted.
 *
 * @param keys patterns of further names whose values are secret, such as {@code x-*-token}
 * @param values whether texts are searched for tokens and for values that they assign to secret names
 * @param openWorldResults whether records show results of tools that reach beyond their server
 * @param key path of the file that holds the {@linkplain RedactionKey key}; empty for the choice of the sink
 */
public record RedactionSettings(List<String> keys, boolean values, boolean openWorldResults, String key) {

    public static final RedactionSettings DEFAULTS = new RedactionSettings(List.of(), true, false, "");

    public RedactionSettings {
        keys = List.copyOf(keys);
    }

    /**
     * Reads {@code keys}, {@code values}, {@code open-world-results} and {@code key} of a {@code redact} section.
     *
     * @throws io.mcpbridge.failure.ConfigurationException with every mistake in the section
     */
    public static RedactionSettings from(Settings redact) {
        var keys = redact.texts("keys");
        var values = redact.flag("values", DEFAULTS.values);
        var openWorldResults = redact.flag("open-world-results", DEFAULTS.openWorldResults);
        var key = redact.text("key");
        if (key.filter(String::isEmpty).isPresent()) {
            redact.reject("key", "a path; leave it out for the usual one");
        }
        return redact.finish(() -> new RedactionSettings(keys, values, openWorldResults, key.orElse(DEFAULTS.key)));
    }
}
