package io.mcpbridge.spi;

import io.mcpbridge.internal.json.LocatedJson;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.UnaryOperator;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** Converts and shows the values of {@link Settings}. */
final class SettingsValues {
    private static final Pattern SPAN = Pattern.compile("(\\d{1,12})(ms|s|m|h)");
    private static final Pattern SIZE = Pattern.compile("(\\d{1,10})(B|[KMGT]i?B)");
    private static final String UNITS = "BKMGT";

    private SettingsValues() {}

    static LocatedJson nodes(@Nullable Object value) {
        if (value instanceof Map<?, ?> map) {
            var members = new LinkedHashMap<String, LocatedJson>();
            map.forEach((key, member) -> members.put(String.valueOf(key), nodes(member)));
            return new LocatedJson(members, 0);
        }
        if (value instanceof Collection<?> list) {
            return new LocatedJson(list.stream().map(SettingsValues::nodes).toList(), 0);
        }
        if (value instanceof Number number) {
            return new LocatedJson(new BigDecimal(number.toString()), 0);
        }
        return new LocatedJson(value instanceof Boolean || value == null ? value : value.toString(), 0);
    }

    /** The entries with those of {@code defaults} that are absent; objects that stand in both are joined. */
    static Map<String, LocatedJson> merged(Map<String, LocatedJson> entries, Map<String, LocatedJson> defaults) {
        var all = new LinkedHashMap<>(entries);
        defaults.forEach((key, node) -> all.merge(key, node, SettingsValues::joined));
        return all;
    }

    private static LocatedJson joined(LocatedJson node, LocatedJson otherwise) {
        var areObjects = node.value() instanceof Map<?, ?> && otherwise.value() instanceof Map<?, ?>;
        return areObjects ? new LocatedJson(merged(node.members(), otherwise.members()), node.line()) : node;
    }

    /** Compares without the lines of the document. */
    static boolean areEqual(LocatedJson one, LocatedJson other) {
        UnaryOperator<LocatedJson> withoutLine = node -> new LocatedJson(node.value(), 0);
        return one.map(withoutLine).equals(other.map(withoutLine));
    }

    static @Nullable Integer integer(LocatedJson node) {
        if (!(node.value() instanceof BigDecimal number)) {
            return null;
        }
        try {
            return number.intValueExact();
        } catch (ArithmeticException tooLargeOrFraction) {
            return null;
        }
    }

    static @Nullable Integer bytes(LocatedJson node) {
        var size = size(node);
        return size != null && size <= Integer.MAX_VALUE ? (Integer) size.intValue() : null;
    }

    static @Nullable Long size(LocatedJson node) {
        if (!(node.value() instanceof String text)) {
            return null;
        }
        var parts = SIZE.matcher(text);
        if (!parts.matches()) {
            return null;
        }
        var base = parts.group(2).endsWith("iB") ? 1024L : 1000L;
        try {
            var size = Long.parseLong(parts.group(1));
            for (int i = UNITS.indexOf(parts.group(2).charAt(0)); i > 0; i--) {
                size = Math.multiplyExact(size, base);
            }
            return size;
        } catch (ArithmeticException tooLarge) {
            return null;
        }
    }

    /** The rule that a value broke which is no whole number; for a number, the bound it exceeds. */
    static String integerRule(String kind, LocatedJson node) {
        if (!(node.value() instanceof BigDecimal number)) {
            return kind;
        }
        if (number.compareTo(BigDecimal.valueOf(Integer.MAX_VALUE)) > 0) {
            return "%s, at most %d".formatted(kind, Integer.MAX_VALUE);
        }
        var isTooSmall = number.compareTo(BigDecimal.valueOf(Integer.MIN_VALUE)) < 0;
        return isTooSmall ? "%s, at least %d".formatted(kind, Integer.MIN_VALUE) : kind;
    }

    /** The rule that a value broke which is no number of bytes; for a size, the bound it exceeds. */
    static String bytesRule(String kind, LocatedJson node) {
        return size(node) == null ? kind : "less than 2GiB";
    }

    static @Nullable Duration duration(LocatedJson node) {
        if (!(node.value() instanceof String text)) {
            return null;
        }
        var parts = SPAN.matcher(text);
        if (!parts.matches()) {
            return null;
        }
        var count = Long.parseLong(parts.group(1));
        return switch (parts.group(2)) {
            case "ms" -> Duration.ofMillis(count);
            case "s" -> Duration.ofSeconds(count);
            case "m" -> Duration.ofMinutes(count);
            default -> Duration.ofHours(count);
        };
    }

    static @Nullable List<String> texts(LocatedJson node) {
        var elements = node.elements();
        var isTexts =
                node.value() instanceof List<?> && elements.stream().allMatch(each -> each.value() instanceof String);
        return isTexts
                ? elements.stream().map(each -> String.valueOf(each.value())).toList()
                : null;
    }

    /** The rule that a value broke which is no list of texts, and the member that is another kind of value. */
    static String textsRule(LocatedJson node) {
        var kind = "a list of texts";
        if (!(node.value() instanceof List<?>)) {
            return kind;
        }
        var elements = node.elements();
        return IntStream.range(0, elements.size())
                .filter(i -> !(elements.get(i).value() instanceof String))
                .mapToObj(i -> "%s; member %d is %s".formatted(kind, i + 1, shown(elements.get(i))))
                .findFirst()
                .orElse(kind);
    }

    /** The same of an object of texts. */
    static String textsByNameRule(LocatedJson node) {
        var kind = "an object of texts";
        if (!(node.value() instanceof Map<?, ?>)) {
            return kind;
        }
        return node.members().entrySet().stream()
                .filter(member -> !(member.getValue().value() instanceof String))
                .map(member -> "%s; '%s' is %s".formatted(kind, member.getKey(), shown(member.getValue())))
                .findFirst()
                .orElse(kind);
    }

    static @Nullable Map<String, String> textsByName(LocatedJson node) {
        var members = node.members();
        var isTexts = node.value() instanceof Map<?, ?>
                && members.values().stream().allMatch(each -> each.value() instanceof String);
        if (!isTexts) {
            return null;
        }
        var texts = new LinkedHashMap<String, String>();
        members.forEach((name, member) -> texts.put(name, String.valueOf(member.value())));
        return texts;
    }

    /** The value as a message may quote it; objects, lists and long texts are cut, and what may be secret is hidden. */
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
