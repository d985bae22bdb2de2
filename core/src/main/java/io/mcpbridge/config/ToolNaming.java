package io.mcpbridge.config;

import java.util.Optional;

/**
 * How clients see the tools and prompts of several servers: {@code <server>__<tool>}, or the plain names.
 *
 * <p>A server's name contains no {@code __} and does not end in {@code _}, so the first {@code __} always parts
 * the two.
 */
public enum ToolNaming {
    /** Each name begins with its server's. */
    PREFIX,
    /** Names as the servers have them; one that two servers have is not exposed. */
    PLAIN;

    /** What parts the two. */
    public static final String SEPARATOR = "__";

    /** What the specification allows for a tool's name, and what clients of LLM APIs accept. */
    public static final String RULE = "[A-Za-z0-9_.-]{1,128}";

    private static final int MAX_LENGTH = 128;

    /** The name that clients see; empty if it would break the rules for names. */
    public Optional<String> expose(String server, String tool) {
        var name = join(server, tool);
        return keepsRule(name) ? Optional.of(name) : Optional.empty();
    }

    /** Whether a name keeps the {@link #RULE}; it is asked for each call, and a pattern would take longer. */
    private static boolean keepsRule(String name) {
        for (var at = 0; at < name.length(); at++) {
            if (!isAllowed(name.charAt(at))) {
                return false;
            }
        }
        return !name.isEmpty() && name.length() <= MAX_LENGTH;
    }

    private static boolean isAllowed(char c) {
        return (c >= 'a' && c <= 'z')
                || (c >= 'A' && c <= 'Z')
                || (c >= '0' && c <= '9')
                || c == '_'
                || c == '.'
                || c == '-';
    }

    /** The name of something whose names have no rules, such as a prompt. */
    public String join(String server, String name) {
        return this == PREFIX ? server + SEPARATOR + name : name;
    }
}
