package io.mcpbridge.config;

import io.mcpbridge.spi.Settings;
import io.mcpbridge.tool.GlobPattern;
import java.util.List;
import java.util.stream.Stream;

/**
 * Selects tools by name: those that match a pattern of {@code allow}, or all if there is none, except those that match
 * a pattern of {@code deny}. In a pattern, {@code *} matches any text and {@code ?} one character.
 *
 * @param allow patterns; an empty list allows every name
 * @param deny patterns, which have priority over those of {@code allow}
 */
public record NameFilter(List<String> allow, List<String> deny) {
    /** Every tool may be used. */
    public static final NameFilter ALL = new NameFilter(List.of(), List.of());

    static final String ALLOW = "allow";
    static final String DENY = "deny";

    public NameFilter {
        allow = List.copyOf(allow);
        deny = List.copyOf(deny);
    }

    /**
     * Reads {@code allow} and {@code deny} if they are lists; an object under these keys is the section of a tool of
     * that name.
     */
    static NameFilter from(Settings tools) {
        return new NameFilter(patterns(tools, ALLOW), patterns(tools, DENY));
    }

    /** This filter without these names, too. */
    NameFilter denying(List<String> names) {
        return new NameFilter(
                allow, Stream.concat(deny.stream(), names.stream()).toList());
    }

    private static List<String> patterns(Settings tools, String key) {
        return tools.isSection(key) ? List.of() : tools.texts(key);
    }

    public boolean admits(String name) {
        return (allow.isEmpty() || fitsAny(allow, name)) && !fitsAny(deny, name);
    }

    private static boolean fitsAny(List<String> patterns, String name) {
        return patterns.stream().anyMatch(pattern -> GlobPattern.of(pattern).matches(name));
    }
}
