package io.mcpbridge.audit.redact;

import java.util.ArrayList;
import java.util.Collection;
import java.util.function.Supplier;

/**
 * What redacting texts and JSON needs alike.
 *
 * @param known secrets that are hidden wherever they stand
 * @param repeated what was hidden before in the same call
 */
record RedactionParts(
        SecretNames names,
        TextRedactor texts,
        KeyedHash hash,
        Supplier<? extends Collection<String>> known,
        HiddenValues repeated) {

    static RedactionParts of(RedactionSettings settings, KeyedHash hash, Supplier<? extends Collection<String>> known) {
        var names = new SecretNames(settings.keys());
        var texts = new TextRedactor(names, known, settings.values(), hash);
        return new RedactionParts(names, texts, hash, known, new HiddenValues());
    }

    /** The same, which also hides these. */
    RedactionParts hiding(HiddenValues values) {
        var all = new ArrayList<String>(known.get());
        all.addAll(values.parts());
        return new RedactionParts(names, texts.knowing(() -> all), hash, () -> all, values);
    }

    /** Whether a number is, digit by digit, a secret of the configuration or of the call. */
    boolean isKnown(String number) {
        return known.get().contains(number) || repeated.holds(number);
    }
}
