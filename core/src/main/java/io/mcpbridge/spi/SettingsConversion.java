package io.mcpbridge.spi;

import io.mcpbridge.failure.ConfigurationException;
import io.mcpbridge.internal.json.LocatedJson;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BiFunction;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Converts and shows the values of {@link Settings}. For a value of the wrong kind, it throws a {@link
 * ConfigurationException} with the rule, which completes "must be …".
 */
final class SettingsConversion {
    private static final Pattern SPAN = Pattern.compile("(\\d{1,12})(ms|s|m|h)");
    private static final Pattern SIZE = Pattern.compile("(\\d{1,10})(B|[KMGT]i?B)");
    private static final String SIZES = "a size such as 512B, 64KiB, 64MB or 10GiB";
    private static final String UNITS = "BKMGT";

    /** Longer time spans are rejected, so that the sum of a few fits into a {@code long} of nanoseconds. */
    private static final Duration LONGEST = Duration.ofDays(36_500);

    private SettingsConversion() {}

    /** The entries, and those of {@code defaults} that are absent; objects in both are merged. */
    static Map<String, LocatedJson> merged(Map<String, LocatedJson> entries, Map<String, LocatedJson> defaults) {
        var all = new LinkedHashMap<>(entries);
        defaults.forEach((key, node) -> all.merge(key, node, SettingsConversion::joined));
        return all;
    }

    private static LocatedJson joined(LocatedJson node, LocatedJson otherwise) {
        var areObjects = node.value() instanceof Map<?, ?> && otherwise.value() instanceof Map<?, ?>;
        return areObjects ? new LocatedJson(merged(node.members(), otherwise.members()), node.line()) : node;
    }

    /** Compares without the lines of the document. */
    static boolean areEqual(LocatedJson one, LocatedJson other) {
        BiFunction<String, LocatedJson, LocatedJson> withoutLine = (path, node) -> new LocatedJson(node.value(), 0);
        return one.map("", withoutLine).equals(other.map("", withoutLine));
    }

    static int integer(String kind, LocatedJson node) {
        if (!(node.value() instanceof BigDecimal number)) {
            throw wrong(kind);
        }
        if (number.compareTo(BigDecimal.valueOf(Integer.MAX_VALUE)) > 0) {
            throw wrong("%s, at most %d".formatted(kind, Integer.MAX_VALUE));
        }
        if (number.compareTo(BigDecimal.valueOf(Integer.MIN_VALUE)) < 0) {
            throw wrong("%s, at least %d".formatted(kind, Integer.MIN_VALUE));
        }
        try {
            return number.intValueExact();
        } catch (ArithmeticException fraction) {
            throw wrong(kind);
        }
    }

    static int bytes(LocatedJson node) {
        var size = size(node);
        if (size > Integer.MAX_VALUE) {
            throw wrong("less than 2GiB");
        }
        return (int) size;
    }

    static long size(LocatedJson node) {
        var parts = parts(node, SIZE, SIZES);
        var base = parts.group(2).endsWith("iB") ? 1024L : 1000L;
        try {
            var size = Long.parseLong(parts.group(1));
            for (int i = UNITS.indexOf(parts.group(2).charAt(0)); i > 0; i--) {
                size = Math.multiplyExact(size, base);
            }
            return size;
        } catch (ArithmeticException tooLarge) {
            throw wrong(SIZES);
        }
    }

    static Duration duration(LocatedJson node) {
        var parts = parts(node, SPAN, "a time span such as 200ms, 5s, 2m or 1h");
        var count = Long.parseLong(parts.group(1));
        var span = switch (parts.group(2)) {
            case "ms" -> Duration.ofMillis(count);
            case "s" -> Duration.ofSeconds(count);
            case "m" -> Duration.ofMinutes(count);
            default -> Duration.ofHours(count);
        };
        if (span.compareTo(LONGEST) > 0) {
            throw wrong("at most %dh, which is %d days".formatted(LONGEST.toHours(), LONGEST.toDays()));
        }
        return span;
    }

    private static Matcher parts(LocatedJson node, Pattern form, String kind) {
        var parts = form.matcher(node.value() instanceof String text ? text : "");
        if (!parts.matches()) {
            throw wrong(kind);
        }
        return parts;
    }

    static List<String> texts(LocatedJson node) {
        if (!(node.value() instanceof List<?>)) {
            throw wrong("a list of texts");
        }
        var texts = new ArrayList<String>();
        for (var each : node.elements()) {
            if (!(each.value() instanceof String text)) {
                throw wrong("a list of texts; member %d is %s".formatted(texts.size() + 1, shown(each)));
            }
            texts.add(text);
        }
        return List.copyOf(texts);
    }

    static Map<String, String> textsByName(LocatedJson node) {
        if (!(node.value() instanceof Map<?, ?>)) {
            throw wrong("an object of texts");
        }
        var texts = new LinkedHashMap<String, String>();
        node.members().forEach((name, each) -> {
            if (!(each.value() instanceof String text)) {
                throw wrong("an object of texts; '%s' is %s".formatted(name, shown(each)));
            }
            texts.put(name, text);
        });
        return texts;
    }

    /** The value, if it is of this class. */
    static <T> T as(Class<T> type, String kind, LocatedJson node) {
        if (!type.isInstance(node.value())) {
            throw wrong(kind);
        }
        return type.cast(node.value());
    }

    static LocatedJson object(LocatedJson node) {
        if (!(node.value() instanceof Map<?, ?>)) {
            throw wrong("an object");
        }
        return node;
    }

    private static ConfigurationException wrong(String rule) {
        return ConfigurationException.of(rule);
    }

    /** The value as maps, lists, texts and numbers, with null for each text that was filled in. */
    static @Nullable Object withoutFilledIn(LocatedJson node) {
        if (node.value() instanceof Map<?, ?>) {
            var members = new LinkedHashMap<String, @Nullable Object>();
            node.members().forEach((name, each) -> members.put(name, withoutFilledIn(each)));
            return members;
        }
        if (node.value() instanceof List<?>) {
            var elements = new ArrayList<@Nullable Object>();
            node.elements().forEach(each -> elements.add(withoutFilledIn(each)));
            return elements;
        }
        return node.filledIn() ? null : node.value();
    }

    /** The value for quotation in a message; objects, lists and long texts are cut, and possible secrets are hidden. */
    static String shown(LocatedJson node) {
        if (node.value() instanceof Map<?, ?>) {
            return "an object";
        }
        if (node.value() instanceof List<?>) {
            return "a list";
        }
        if (node.filledIn()) {
            return "a text that was filled in";
        }
        var text = node.value() instanceof String string
                ? "'" + Secret.hiddenIn(string) + "'"
                : String.valueOf(node.value());
        return text.length() <= 60 ? text : text.substring(0, 60) + "…";
    }

    static String unknown(String shown, String key, Set<String> known) {
        return Nearest.to(key, known)
                .map(each -> "%s is not a key here; did you mean '%s'?".formatted(shown, each))
                .orElseGet(() -> "%s is not a key here; known are %s".formatted(shown, known));
    }
}
