package io.mcpbridge.spi;

import io.mcpbridge.internal.json.JsonNode;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Values of a section by their kinds. What is of the wrong kind is noted among the mistakes and read as if it were not there.
 * Any thread may use it.
 */
record SettingsReading(Map<String, JsonNode> entries, SettingsMistakes mistakes) {
    /** No time span is longer, so that whoever counts one in nanoseconds and adds a few of them stays within a long. */
    private static final Duration LONGEST = Duration.ofDays(36_500);

    private static final String SIZE = "a size such as 512B, 64KiB, 64MB or 10GiB";

    Optional<String> text(String key) {
        return read(key, "a text", node -> node.value() instanceof String text ? text : null);
    }

    /** @param kind what it counts, such as {@code a whole number of milliseconds} */
    Optional<Integer> integer(String key, String kind) {
        return read(key, node -> SettingsValues.integerRule(kind, node), SettingsValues::integer);
    }

    Optional<Integer> bytes(String key) {
        return read(key, node -> SettingsValues.bytesRule(SIZE, node), SettingsValues::bytes);
    }

    Optional<Long> size(String key) {
        return read(key, SIZE, SettingsValues::size);
    }

    Optional<Double> number(String key) {
        return read(key, "a number", node -> node.value() instanceof BigDecimal number ? number.doubleValue() : null);
    }

    Optional<Boolean> flag(String key) {
        return read(key, "true or false", node -> node.value() instanceof Boolean flag ? flag : null);
    }

    Optional<Duration> duration(String key) {
        var span = read(key, "a time span such as 200ms, 5s, 2m or 1h", SettingsValues::duration);
        if (span.isEmpty() || span.get().compareTo(LONGEST) <= 0) {
            return span;
        }
        mistakes.reject(key, "at most %dh, which is %d days".formatted(LONGEST.toHours(), LONGEST.toDays()));
        return Optional.empty();
    }

    Optional<List<String>> texts(String key) {
        return read(key, SettingsValues::textsRule, SettingsValues::texts);
    }

    Optional<Map<String, String>> textsByName(String key) {
        return read(key, SettingsValues::textsByNameRule, SettingsValues::textsByName);
    }

    Optional<JsonNode> object(String key) {
        return read(key, "an object", node -> node.value() instanceof Map<?, ?> ? node : null);
    }

    private <T> Optional<T> read(String key, String kind, Function<JsonNode, @Nullable T> convert) {
        return read(key, node -> kind, convert);
    }

    /** @param rule what a value must be that is none, in words that may say what is wrong with it */
    private <T> Optional<T> read(String key, Function<JsonNode, String> rule, Function<JsonNode, @Nullable T> convert) {
        mistakes.know(key);
        var node = entries.get(key);
        if (node == null) {
            return Optional.empty();
        }
        var value = convert.apply(node);
        if (value == null) {
            mistakes.reject(key, rule.apply(node));
        }
        return Optional.ofNullable(value);
    }
}
