package io.mcpbridge.tool;

/**
 * A pattern of names in which {@code *} stands for any characters, none included. Immutable.
 *
 * <p>A match goes back to the last star only, so it takes at most the length of the pattern times that of the name.
 */
public final class GlobPattern {
    private final String pattern;
    private final boolean hasWildcard;

    private GlobPattern(String pattern, boolean hasWildcard) {
        this.pattern = pattern;
        this.hasWildcard = hasWildcard;
    }

    /** A pattern in which {@code ?} also stands for one character. */
    public static GlobPattern of(String pattern) {
        return new GlobPattern(pattern, true);
    }

    /** A pattern for names that may have a {@code ?}, such as URIs, which stands for itself. */
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
