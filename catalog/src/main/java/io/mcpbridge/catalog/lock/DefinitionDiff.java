package io.mcpbridge.catalog.lock;

import static io.mcpbridge.message.CanonicalJson.EXACT;

import io.mcpbridge.failure.VisibleText;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** The differences between two definitions, member by member: minus for the old value, plus for the new one. */
final class DefinitionDiff {
    private static final int MAX_VALUE_CHARACTERS = 2_000;

    private final List<String> lines = new ArrayList<>();

    private DefinitionDiff() {}

    /** A line for each difference, with its JSON pointer; hidden characters are escaped. */
    static List<String> between(@Nullable Object before, @Nullable Object now) {
        var diff = new DefinitionDiff();
        diff.compare("", before, now);
        return diff.lines;
    }

    /** The names of the members that differ in two objects. */
    static List<String> names(Map<?, ?> before, Map<?, ?> now) {
        return keys(before, now).stream()
                .filter(key -> !Objects.equals(before.get(key), now.get(key)))
                .map(VisibleText::of)
                .toList();
    }

    /** The JSON pointer of a member. */
    static String below(String path, String name) {
        return path + "/" + name.replace("~", "~0").replace("/", "~1");
    }

    private void compare(String path, @Nullable Object before, @Nullable Object now) {
        if (Objects.equals(before, now)) {
            return;
        }
        if (before instanceof Map<?, ?> one && now instanceof Map<?, ?> other) {
            for (var key : keys(one, other)) {
                member(below(path, key), one, other, key);
            }
        } else if (before instanceof List<?> one && now instanceof List<?> other && one.size() == other.size()) {
            for (int i = 0; i < one.size(); i++) {
                compare(path + "/" + i, one.get(i), other.get(i));
            }
        } else {
            line('-', path, before);
            line('+', path, now);
        }
    }

    private void member(String path, Map<?, ?> before, Map<?, ?> now, String key) {
        if (!before.containsKey(key)) {
            line('+', path, now.get(key));
        } else if (!now.containsKey(key)) {
            line('-', path, before.get(key));
        } else {
            compare(path, before.get(key), now.get(key));
        }
    }

    private void line(char sign, String path, @Nullable Object value) {
        var text = EXACT.write(value);
        var shown = text.length() <= MAX_VALUE_CHARACTERS
                ? text
                : "%s… (%d characters more)"
                        .formatted(text.substring(0, MAX_VALUE_CHARACTERS), text.length() - MAX_VALUE_CHARACTERS);
        lines.add("%c %s: %s".formatted(sign, VisibleText.of(path), shown));
    }

    private static Set<String> keys(Map<?, ?> one, Map<?, ?> other) {
        var keys = new TreeSet<String>();
        one.keySet().forEach(key -> keys.add(String.valueOf(key)));
        other.keySet().forEach(key -> keys.add(String.valueOf(key)));
        return keys;
    }
}
