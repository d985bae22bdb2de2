package io.mcpbridge.spi;

import java.util.regex.Pattern;

/** A text that must not be shown: its {@link #toString} hides it. */
public final class Secret {
    private static final String HIDDEN = "***";
    private static final Pattern BEFORE_HOST = Pattern.compile("^((?:[A-Za-z][A-Za-z0-9+.-]*:/+)?).*@", Pattern.DOTALL);
    private static final Pattern QUERY = Pattern.compile("(?<=\\?).*", Pattern.DOTALL);

    private final String value;

    private Secret(String value) {
        this.value = value;
    }

    public static Secret of(String value) {
        return new Secret(value);
    }

    /** The text itself; only for handing it to whoever needs it. */
    public String reveal() {
        return value;
    }

    /**
     * A text as a message may quote it. Where it may be the address of somebody who is named in it, or of something that
     * is asked, the user, the password and the query are hidden, be the address otherwise right or wrong.
     */
    public static String hiddenIn(String text) {
        var withoutQuery = text.contains(":/") ? QUERY.matcher(text).replaceFirst(HIDDEN) : text;
        return withoutQuery.indexOf('@') < 0
                ? withoutQuery
                : BEFORE_HOST.matcher(withoutQuery).replaceFirst("$1" + HIDDEN + "@");
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
