package io.mcpbridge.catalog.lock;

import static java.util.stream.Collectors.joining;

import io.mcpbridge.failure.VisibleText;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** Characters that people who read a definition do not see and that a model may read all the same, save ends of lines. */
final class Hidden {
    /** More of them say nothing more. */
    private static final int MOST_SHOWN = 8;

    private Hidden() {}

    /** JSON in which the hidden characters within texts are escaped, so that it is the same value. */
    static String escaped(String json) {
        if (json.chars().allMatch(c -> c < 0x7F)) {
            return json;
        }
        var shown = new StringBuilder(json.length());
        json.codePoints().forEach(c -> {
            if (c >= 0x7F && isHidden(c)) {
                for (var unit : Character.toChars(c)) {
                    shown.append("\\u%04x".formatted((int) unit));
                }
            } else {
                shown.appendCodePoint(c);
            }
        });
        return shown.toString();
    }

    /** Where a value hides something and what, a line each, such as {@code /description: U+200B}. */
    static List<String> places(@Nullable Object value) {
        var places = new ArrayList<String>();
        collect(value, "", places);
        return places;
    }

    private static void collect(@Nullable Object value, String path, List<String> places) {
        if (value instanceof String text) {
            note(text, path, places);
        } else if (value instanceof Map<?, ?> members) {
            members.forEach((key, member) -> {
                var name = String.valueOf(key);
                var below = Differences.below(path, name);
                note(name, "the name " + below, places);
                collect(member, below, places);
            });
        } else if (value instanceof List<?> elements) {
            for (int i = 0; i < elements.size(); i++) {
                collect(elements.get(i), path + "/" + i, places);
            }
        }
    }

    private static void note(String text, String path, List<String> places) {
        var found = new TreeSet<Integer>();
        text.codePoints().filter(Hidden::isHidden).forEach(found::add);
        if (!found.isEmpty()) {
            var names =
                    found.stream().limit(MOST_SHOWN).map("U+%04X"::formatted).collect(joining(" "));
            places.add("%s: %s%s".formatted(escaped(path), names, found.size() > MOST_SHOWN ? " …" : ""));
        }
    }

    private static boolean isHidden(int c) {
        return !isUsual(c) && VisibleText.isHidden(c);
    }

    /** What people may write in a text. */
    private static boolean isUsual(int c) {
        return c == '\n' || c == '\r' || c == '\t';
    }
}
