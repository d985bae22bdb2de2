package io.mcpbridge.spi;

import java.util.regex.Pattern;

/** A text that must not be shown: its {@link #toString} hides it. */
public final class Secret {
    private static final String HIDDEN = "***";
    private static final Pattern BEFORE_HOST = Pattern.compile("^((?:[A-Za-z][A-Za-z0-9+.-]*:/+)?).*@", Pattern.DOTALL);
    private static final Pattern AFTER_PATH = Pattern.compile("(?<=[?#]).*", Pattern.DOTALL);

    /** A password may contain the characters that end a path, so its end is ambiguous. */
    private static final Pattern UNCLEAR =
            Pattern.compile("^([A-Za-z][A-Za-z0-9+.-]*:/+)[^/?#@]*[?#].*@.*", Pattern.DOTALL);

    private final String value;

    private Secret(String value) {
        this.value = value;
    }

    public static Secret of(String value) {
        return new Secret(value);
    }

    /** The text itself; only to pass it to its consumer. */
    public String reveal() {
        return value;
    }

    /**
     * Hides secrets in a text that a message quotes. If the text may be an address with credentials or a query, the
     * user, the password, the query and the fragment are hidden, even if the address is invalid.
     */
    public static String hiddenIn(String text) {
        var unclear = UNCLEAR.matcher(text);
        if (unclear.matches()) {
            return unclear.group(1) + HIDDEN;
        }
        var ofPath = text.contains(":/") ? AFTER_PATH.matcher(text).replaceFirst(HIDDEN) : text;
        return ofPath.indexOf('@') < 0 ? ofPath : BEFORE_HOST.matcher(ofPath).replaceFirst("$1" + HIDDEN + "@");
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Secret secret && secret.value.equals(value);
    }

    @Override
    public int hashCode() {
        return value.hashCode();
    }

    @Override
    public String toString() {
        return HIDDEN;
    }
}
