package io.mcpbridge.config;

import io.mcpbridge.internal.definition.ToolNameRule;
import java.util.Locale;
import java.util.Optional;

/**
 * How clients see the tools and prompts of several servers: {@code <server>__<tool>}, or the plain names. The alias of
 * a server or a tool replaces its name.
 *
 * <p>A server's alias contains no {@code __} and does not end in {@code _}, so the first {@code __} always
 * separates the two.
 */
public enum ToolNaming {
    /** Each name begins with its server's. */
    PREFIX,
    /** The names of the servers; a name that two servers have is not exposed. */
    PLAIN;

    /** Separates the two. */
    public static final String SEPARATOR = "__";

    /** The form in the configuration. */
    String word() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** The name that clients see; empty if it breaks the rules for names. */
    public Optional<String> expose(ServerSettings server, String tool) {
        var name = join(server, server.shownTool(tool));
        return ToolNameRule.keepsRule(name) ? Optional.of(name) : Optional.empty();
    }

    /** Why a tool has no name that clients can see; empty if it has one. */
    public Optional<String> flaw(ServerSettings server, String tool) {
        return ToolNameRule.flaw(server.shownTool(tool))
                .or(() -> expose(server, tool).isPresent() ? Optional.empty() : tooLong(server, tool));
    }

    /** A server's alias keeps the rule, so that only the length can break it. */
    private Optional<String> tooLong(ServerSettings server, String tool) {
        var name = join(server, server.shownTool(tool));
        return Optional.of("clients would see it as '%s', whose %d characters break the rule %s; set an 'alias'"
                .formatted(name, name.length(), ToolNameRule.RULE));
    }

    /** The exposed name of an item without rules for names, such as a prompt. */
    public String join(ServerSettings server, String name) {
        return this == PREFIX ? server.alias() + SEPARATOR + name : name;
    }
}
