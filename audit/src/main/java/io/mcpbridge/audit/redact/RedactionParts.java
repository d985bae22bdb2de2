package io.mcpbridge.audit.redact;

import java.util.Collection;
import java.util.function.Supplier;

/** What redacting texts and JSON needs alike. */
record RedactionParts(
        SecretNames names, TextRedactor texts, KeyedHash hash, Supplier<? extends Collection<String>> known) {

    static RedactionParts of(RedactionSettings settings, KeyedHash hash, Supplier<? extends Collection<String>> known) {
        var names = new SecretNames(settings.keys());
        return new RedactionParts(names, new TextRedactor(names, known, settings.values(), hash), hash, known);
    }

    /** Whether a number is, digit by digit, a secret of the configuration. */
    boolean isKnown(String number) {
        return known.get().contains(number);
    }
}
