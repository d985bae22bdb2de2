package io.mcpbridge.catalog.lock;

import static java.util.stream.Collectors.joining;

import io.mcpbridge.failure.VisibleText;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** Finds characters in a definition that a reader does not see but a model reads. Line breaks and tabs are usual. */
final class HiddenCharacters {
    /** The code points that one line names. */
    private static final int MAX_NAMED = 8;

    private HiddenCharacters() {}

    /** One line for each text with hidden characters, such as {@code /description: U+200B}. */
    static List<String> find(@Nullable Object value) {
        var lines = new ArrayList<String>();
        collect(value, "", lines);
        return lines;
    }

    private static void collect(@Nullable Object value, String path, List<String> lines) {
        if (value instanceof String text) {
            note(text, path, lines);
        } else if (value instanceof Map<?, ?> members) {
            members.forEach((key, member) -> {
                var name = String.valueOf(key);
                var below = DefinitionDiff.below(path, name);
                note(name, "the name " + below, lines);
                collect(member, below, lines);
            });
        } else if (value instanceof List<?> elements) {
            for (int i = 0; i < elements.size(); i++) {
                collect(elements.get(i), path + "/" + i, lines);
            }
        }
    }

    private static void note(String text, String path, List<String> lines) {
        var found = new TreeSet<Integer>();
        text.codePoints().filter(HiddenCharacters::isHidden).forEach(found::add);
        if (!found.isEmpty()) {
            var names = found.stream().limit(MAX_NAMED).map("U+%04X"::formatted).collect(joining(" "));
            lines.add("%s: %s%s".formatted(VisibleText.of(path), names, found.size() > MAX_NAMED ? " …" : ""));
        }
    }

    private static boolean isHidden(int c) {
        return VisibleText.isHidden(c) && c != '\n' && c != '\r' && c != '\t';
    }
}
