package io.mcpbridge.internal.definition;

import io.mcpbridge.message.JsonStrings;
import java.util.Optional;

/** The rule for names of tools: what the specification says they should be, and what clients of models accept. Pure. */
public final class ToolNameRule {
    /** The rule as a pattern. */
    public static final String RULE = "[A-Za-z0-9_.-]{1,128}";

    private static final int MAX_LENGTH = 128;

    private ToolNameRule() {}

    /** Whether a name keeps the {@link #RULE}; it is asked for each call, and a pattern would take longer. */
    public static boolean keepsRule(String name) {
        for (var at = 0; at < name.length(); at++) {
            if (!isAllowed(name.charAt(at))) {
                return false;
            }
        }
        return !name.isEmpty() && name.length() <= MAX_LENGTH;
    }

    /** The mistake in a name that breaks the rule, in words; empty for one that keeps it. */
    public static Optional<String> flaw(String name) {
        return keepsRule(name)
                ? Optional.empty()
                : Optional.of("'name' is %s but must be %s".formatted(MemberChecks.cut(JsonStrings.quote(name)), RULE));
    }

    private static boolean isAllowed(char c) {
        return (c >= 'a' && c <= 'z')
                || (c >= 'A' && c <= 'Z')
                || (c >= '0' && c <= '9')
                || c == '_'
                || c == '.'
                || c == '-';
    }
}
