package io.mcpbridge.spi;

/**
 * Matches names against a pattern in which {@code *} matches any number of characters. Immutable.
 *
 * <p>Matching backtracks to the last star only, so it takes at most time proportional to the length of the pattern
 * times that of the name.
 */
public final class GlobPattern {
    private final String pattern;
    private final boolean hasWildcard;

    private GlobPattern(String pattern, boolean hasWildcard) {
        this.pattern = pattern;
        this.hasWildcard = hasWildcard;
    }

    /** Creates a pattern in which {@code ?} also matches one character. */
    public static GlobPattern of(String pattern) {
        return new GlobPattern(pattern, true);
    }

    /** Creates a pattern in which {@code ?} matches itself, for names such as URIs. */
    public static GlobPattern ofStars(String pattern) {
        return new GlobPattern(pattern, false);
    }

    /** Whether the pattern matches the whole name. */
    public boolean matches(String name) {
        int at = 0;
        int star = -1;
        int afterStar = 0;
        for (int i = 0; i < name.length(); ) {
            if (at < pattern.length() && pattern.charAt(at) == '*') {
                star = at++;
                afterStar = i;
            } else if (at < pattern.length() && isMatch(pattern.charAt(at), name.charAt(i))) {
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

    private boolean isMatch(char expected, char actual) {
        return expected == actual || (expected == '?' && hasWildcard);
    }

    @Override
    public String toString() {
        return pattern;
    }
}
