package io.mcpbridge.catalog.schema;

import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;

/** Why a schema or a check failed, in words without the names of classes. Pure. */
final class Reasons {
    private static final String NONE = "no reason is known";

    /** How an exception without words of its own quotes its cause. */
    private static final Pattern CLASS = Pattern.compile("(?:[a-z]\\w*\\.)+[A-Z][\\w$]*(?::\\s*|$)");

    private Reasons() {}

    /** The words of what it was thrown for, if that is ours or a pattern, else its own. */
    static String of(Throwable thrown) {
        for (var cause = thrown; cause != null; cause = cause.getCause()) {
            if (cause instanceof TooCostlyException costly) {
                return costly.words();
            }
            if (cause instanceof PatternSyntaxException refused) {
                return "the pattern '%s' cannot be read: %s".formatted(refused.getPattern(), refused.getDescription());
            }
        }
        var words = thrown.getMessage();
        var plain = words == null ? "" : CLASS.matcher(words).replaceAll("").strip();
        return plain.isEmpty() ? NONE : plain;
    }
}
