package io.mcpbridge.audit.redact;

import io.mcpbridge.audit.redact.RedactionKey.KeyedHash;
import io.mcpbridge.spi.KnownValueFinder;
import io.mcpbridge.spi.SecretSpans;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.function.Supplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Replaces secrets in texts by their keyed hash: known values, tokens, and values that the text assigns to a secret
 * name, such as {@code password=…}. The time is proportional to the length of the text. Any thread may use it.
 *
 * @param known values that are redacted anywhere in a text
 * @param repeated values that were redacted earlier in the same call
 * @param usesPatterns whether tokens and assignments are redacted too
 */
record TextRedactor(
        SecretNames names, KnownValueFinder known, KnownValueFinder repeated, boolean usesPatterns, KeyedHash hash) {
    private static final String SEPARATORS = "\\s\"'`,;()\\[\\]{}<>|";

    /** A name and its separator from the value: {@code name=}, {@code "name": "}, {@code --name } or {@code name '}. */
    private static final Pattern ASSIGNMENT = Pattern.compile("(?<![\\w.-])(?<name>[\\w.-]{1,64}+)"
            + "(?:[ \"'`\\\\\\]]{0,3}+[=:][ \\t=>\"'`\\\\]*+|(?<=--[\\w-]{1,64}) [ \"']*+| [\"'`])");

    private static final Pattern VALUE = Pattern.compile("[^&\\\\" + SEPARATORS + "]++");
    private static final Pattern REST_OF_LINE = Pattern.compile("[^\\r\\n\"'`<>{}\\\\]++");

    /** Makes a redactor with no redacted values yet. */
    TextRedactor(
            SecretNames names, Supplier<? extends Collection<String>> known, boolean usesPatterns, KeyedHash hash) {
        this(names, new KnownValueFinder(known), new KnownValueFinder(List::of), usesPatterns, hash);
    }

    /** This redactor, which also finds values that were redacted earlier in the same call. */
    TextRedactor repeating(List<String> values) {
        return new TextRedactor(names, known, new KnownValueFinder(() -> values), usesPatterns, hash);
    }

    /** The hash that replaces a secret. */
    String hashOf(String secret) {
        return hash.of(secret);
    }

    /** The text with a hash for each secret; the same text if it has none. */
    String redact(String text) {
        var spans = find(text);
        return spans.isEmpty() ? text : spans.replaceIn(text, text.length(), hash::once);
    }

    /** The first {@code end} characters of a text, with a hash also for a secret that extends beyond them. */
    String redactBeginning(String text, int end) {
        return find(text).replaceIn(text, end, hash::once);
    }

    /**
     * Redacts a truncated text and drops its last word, which may be the beginning of a secret that no search finds.
     */
    String redactCut(String cut) {
        int end = cut.length();
        while (end > 0 && !isSeparator(cut.charAt(end - 1))) {
            end--;
        }
        int start = Math.min(known.startOfCutValue(cut), repeated.startOfCutValue(cut));
        return redactBeginning(cut, Math.min(start, end));
    }

    private static boolean isSeparator(char c) {
        return Character.isWhitespace(c) || "\"'`,;()[]{}<>|".indexOf(c) >= 0;
    }

    private SecretSpans find(String text) {
        var spans = new SecretSpans();
        known.find(text, spans);
        repeated.find(text, spans);
        if (usesPatterns) {
            spans.find(text, this::findByPatterns);
        }
        return spans;
    }

    private void findByPatterns(String text, SecretSpans spans) {
        spans.addTokens(text);
        var assignment = ASSIGNMENT.matcher(text);
        var value = VALUE.matcher(text);
        var restOfLine = REST_OF_LINE.matcher(text);
        for (int at = 0; assignment.find(at); ) {
            at = assignment.end();
            var name = assignment.group("name");
            if (names.hides(name)) {
                at = addValue(isHeader(name) ? restOfLine : value, at, spans);
            }
        }
    }

    /** Adds the value that begins at {@code at}; returns the position of its end. */
    private static int addValue(Matcher value, int at, SecretSpans spans) {
        value.region(at, value.regionEnd());
        if (!value.lookingAt()) {
            return at;
        }
        spans.add(value.start(), value.end());
        return value.end();
    }

    /** Whether the name is a header whose value has several words. */
    private static boolean isHeader(String name) {
        var lower = name.toLowerCase(Locale.ROOT);
        return lower.endsWith("authorization") || lower.endsWith("cookie");
    }
}
