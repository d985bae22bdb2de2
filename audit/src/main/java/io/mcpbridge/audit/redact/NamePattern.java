package io.mcpbridge.audit.redact;

/** A pattern in which {@code *} stands for any characters, none included; matched without going back more than once. */
public final class NamePattern {
    private final String pattern;

    private NamePattern(String pattern) {
        this.pattern = pattern;
    }

    public static NamePattern of(String pattern) {
        return new NamePattern(pattern);
    }

    /** Whether the whole text fits. */
    public boolean matches(String text) {
        int at = 0;
        int inPattern = 0;
        int star = -1;
        int retry = 0;
        while (at < text.length()) {
            if (inPattern < pattern.length() && pattern.charAt(inPattern) == '*') {
                star = inPattern++;
                retry = at;
            } else if (inPattern < pattern.length() && pattern.charAt(inPattern) == text.charAt(at)) {
                inPattern++;
                at++;
            } else if (star >= 0) {
                inPattern = star + 1;
                at = ++retry;
            } else {
                return false;
            }
        }
        return pattern.substring(inPattern).chars().allMatch(each -> each == '*');
    }

    @Override
    public String toString() {
        return pattern;
    }
}
