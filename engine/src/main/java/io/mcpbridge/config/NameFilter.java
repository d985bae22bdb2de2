package io.mcpbridge.config;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.mcpbridge.spi.GlobPattern;
import io.mcpbridge.spi.Settings;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Selects elements by name or URI: those that match a pattern of {@code allow}, or all if there is none, except those
 * that match a pattern of {@code deny}. In a pattern, {@code *} matches any text and, for names, {@code ?} one character.
 *
 * @param allow patterns; an empty list allows everything
 * @param deny patterns, which have priority over those of {@code allow}
 */
public record NameFilter(List<String> allow, List<String> deny) {
    /** Selects everything. */
    public static final NameFilter ALL = new NameFilter(List.of(), List.of());

    /** Selects nothing. */
    public static final NameFilter NONE = new NameFilter(List.of(), List.of("*"));

    static final String ALLOW = "allow";
    static final String DENY = "deny";

    private static final Pattern ENCODED = Pattern.compile("(?:%[0-9A-Fa-f]{2})+");
    private static final Pattern SCHEME = Pattern.compile("^[^:/]*:");

    /** A segment of a path that means another place; servers also split paths at other characters than {@code /}. */
    private static final Pattern DOTS = Pattern.compile("(?:^|[/\\\\])\\.\\.?(?:[/\\\\?#;]|$)");

    public NameFilter {
        allow = List.copyOf(allow);
        deny = List.copyOf(deny);
    }

    /**
     * Reads {@code allow} and {@code deny} if they are lists; an object under these keys is the section of a tool of
     * that name. An empty list of {@code allow} selects nothing.
     */
    static NameFilter from(Settings section) {
        var filter = new NameFilter(patterns(section, ALLOW), patterns(section, DENY));
        return allows(section) && filter.allow.isEmpty() ? NONE : filter;
    }

    /** This filter without these names, too. */
    NameFilter denying(List<String> names) {
        return new NameFilter(
                allow, Stream.concat(deny.stream(), names.stream()).toList());
    }

    /** Whether a section has a list {@code allow}. */
    static boolean allows(Settings section) {
        return section.has(ALLOW) && !section.isSection(ALLOW);
    }

    private static List<String> patterns(Settings section, String key) {
        return section.isSection(key) ? List.of() : section.texts(key);
    }

    /** Whether a name is selected. */
    public boolean admits(String name) {
        return (allow.isEmpty() || fitsAny(allow, GlobPattern::of, name)) && !fitsAny(deny, GlobPattern::of, name);
    }

    /**
     * Whether a URI is selected. A server may read several spellings as one URI, so {@code deny} also matches decoded
     * ones, and a restricted user has no URI with a segment {@code .} or {@code ..}.
     */
    public boolean admitsUri(String uri) {
        if (equals(ALL)) {
            return true;
        }
        var plain = plain(uri);
        return !DOTS.matcher(plain).find()
                && (allow.isEmpty() || fitsAny(allow, GlobPattern::ofStars, uri))
                && !fitsAny(deny, GlobPattern::ofStars, uri)
                && !fitsAny(deny, pattern -> GlobPattern.ofStars(plain(pattern)), plain);
    }

    private static String plain(String uri) {
        var decoded = ENCODED.matcher(uri).replaceAll(found -> Matcher.quoteReplacement(decode(found.group())));
        return SCHEME.matcher(decoded)
                .replaceFirst(found -> Matcher.quoteReplacement(found.group().toLowerCase(Locale.ROOT)));
    }

    private static String decode(String encoded) {
        return new String(HexFormat.of().parseHex(encoded.replace("%", "")), UTF_8);
    }

    private static boolean fitsAny(List<String> patterns, Function<String, GlobPattern> glob, String name) {
        // Each call of a tool comes here, mostly without patterns.
        for (var pattern : patterns) {
            if (glob.apply(pattern).matches(name)) {
                return true;
            }
        }
        return false;
    }

    /** Written out, like {@link #hashCode}: what the JDK makes of a record at its first use delays the first answer. */
    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof NameFilter filter && allow.equals(filter.allow) && deny.equals(filter.deny);
    }

    @Override
    public int hashCode() {
        return 31 * allow.hashCode() + deny.hashCode();
    }
}
