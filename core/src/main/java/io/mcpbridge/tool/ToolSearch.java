package io.mcpbridge.tool;

import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;

/** Searches tools by words in their names, titles and descriptions. Immutable. */
public final class ToolSearch {
    private static final int IN_NAME = 4;
    private static final int IN_TITLE = 2;
    private static final int IN_DESCRIPTION = 1;

    private final List<String> words;

    private ToolSearch(List<String> words) {
        this.words = words;
    }

    /** Creates a search for all words of {@code query}, or parts of words, ignoring case. */
    public static ToolSearch of(String query) {
        return new ToolSearch(Arrays.stream(lower(query).split("[^\\p{L}\\p{N}]+"))
                .filter(word -> !word.isEmpty())
                .toList());
    }

    /** Whether the query has no words; such a search finds nothing. */
    public boolean isEmpty() {
        return words.isEmpty();
    }

    /**
     * Returns the tools that contain every word, best match first. A word counts most in the name, less in the title,
     * and least in the description; equal matches keep their order.
     */
    public List<ToolDefinition> in(List<ToolDefinition> tools) {
        return tools.stream()
                .map(tool -> new Found(tool, weight(tool)))
                .filter(found -> found.weight > 0)
                .sorted(Comparator.comparingInt(Found::weight).reversed())
                .map(Found::tool)
                .toList();
    }

    /** The rank of a tool; 0 if a word is missing, or there are no words. */
    private int weight(ToolDefinition tool) {
        var name = lower(tool.name());
        var title = lower(tool.title().orElse(""));
        var description = lower(tool.description().orElse(""));
        int weight = 0;
        for (var word : words) {
            int ofWord = (name.contains(word) ? IN_NAME : 0)
                    + (title.contains(word) ? IN_TITLE : 0)
                    + (description.contains(word) ? IN_DESCRIPTION : 0);
            if (ofWord == 0) {
                return 0;
            }
            weight += ofWord;
        }
        return weight;
    }

    private static String lower(String text) {
        return text.toLowerCase(Locale.ROOT);
    }

    private record Found(ToolDefinition tool, int weight) {}
}
