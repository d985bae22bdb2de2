package io.mcpbridge.config;

import io.mcpbridge.spi.Settings;
import java.util.List;

/**
 * Which tools may be used, by their names: those that a pattern of {@code allow} fits, or all where there is none, but
 * none that a pattern of {@code deny} fits. In a pattern {@code *} stands for any letters, and {@code ?} for one.
 *
 * @param allow patterns, none of which allows everything
 * @param deny patterns, which go before those of {@code allow}
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

    /** Reads {@code allow} and {@code deny} where lists stand there; a tool may have such a name too. */
    static NameFilter from(Settings tools) {
        return new NameFilter(patterns(tools, ALLOW), patterns(tools, DENY));
    }

    private static List<String> patterns(Settings tools, String key) {
        return tools.isSection(key) ? List.of() : tools.texts(key);
    }

    public boolean admits(String name) {
        return (allow.isEmpty() || fitsAny(allow, name)) && !fitsAny(deny, name);
    }

    private static boolean fitsAny(List<String> patterns, String name) {
        return patterns.stream().anyMatch(pattern -> fits(pattern, name));
    }

    /** Goes back to the last star alone, so that no pattern takes longer than its length times that of the name. */
    private static boolean fits(String pattern, String name) {
        int at = 0;
        int star = -1;
        int afterStar = 0;
        for (int i = 0; i < name.length(); ) {
            if (at < pattern.length() && pattern.charAt(at) == '*') {
                star = at++;
                afterStar = i;
            } else if (at < pattern.length() && (pattern.charAt(at) == '?' || pattern.charAt(at) == name.charAt(i))) {
                at++;
                i++;
            } else if (star >= 0) {
                at = star + 1;
                i = ++afterStar;
            } else {
                return false;
            }
        }
        return pattern.substring(at).chars().allMatch(c -> c == '*');
    }
}
