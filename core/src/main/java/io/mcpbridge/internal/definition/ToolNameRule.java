package io.mcpbridge.internal.definition;

import io.mcpbridge.message.JsonStrings;
import java.util.Optional;

/** The rule for names of tools, which follows the specification and the limits of model clients. Pure. */
public final class ToolNameRule {
    /** The rule as a pattern. */
    public static final String RULE = "[A-Za-z0-9_.-]{1,128}";

    private static final int MAX_LENGTH = 128;

    private ToolNameRule() {}

    /** Whether a name matches the {@link #RULE}. Does not use a pattern, which is slower: each call is checked. */
    public static boolean keepsRule(String name) {
        for (var at = 0; at < name.length(); at++) {
            if (!isAllowed(name.charAt(at))) {
                return false;
            }
        }
        return !name.isEmpty() && name.length() <= MAX_LENGTH;
    }

    /** The mistake in a name that breaks the rule, as text; empty if the name matches the rule. */
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
