package io.mcpbridge.call;

import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * The headers of a message, such as HTTP headers.
 *
 * <p>Names are in lower case. Immutable.
 */
public final class MessageHeaders {
    public static final MessageHeaders EMPTY = new MessageHeaders(Map.of());

    private final Map<String, List<String>> values;

    private MessageHeaders(Map<String, List<String>> values) {
        this.values = values;
    }

    /** Copies the values, and merges names that differ only in case. */
    public static MessageHeaders of(Map<String, List<String>> values) {
        var folded = new TreeMap<String, List<String>>();
        values.forEach(
                (name, list) -> folded.merge(name.toLowerCase(Locale.ROOT), List.copyOf(list), MessageHeaders::joined));
        return folded.isEmpty() ? EMPTY : new MessageHeaders(folded);
    }

    /** The values of {@code name}, none being an empty list. */
    public List<String> all(String name) {
        return values.getOrDefault(name.toLowerCase(Locale.ROOT), List.of());
    }

    /** The first value of {@code name}. */
    public Optional<String> first(String name) {
        var values = all(name);
        return values.isEmpty() ? Optional.empty() : Optional.of(values.get(0));
    }

    /** All names with their values, in alphabetical order. */
    public Map<String, List<String>> asMap() {
        return java.util.Collections.unmodifiableMap(values);
    }

    /** A copy in which {@code name} has this one value. */
    public MessageHeaders with(String name, String value) {
        var copy = new TreeMap<>(values);
        copy.put(name.toLowerCase(Locale.ROOT), List.of(value));
        return new MessageHeaders(copy);
    }

    private static List<String> joined(List<String> one, List<String> other) {
        return java.util.stream.Stream.concat(one.stream(), other.stream()).toList();
    }
}
