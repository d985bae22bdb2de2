package io.mcpbridge.config;

import io.mcpbridge.spi.Settings;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;

/**
 * Who is shown a way to search for tools instead of all of them.
 *
 * @param isUsual whether users of whom nothing is said search
 * @param byUser whether a user searches, by name, whatever proves it; that of {@code *} is for all who are not named
 * @param alwaysListed patterns of the names that whoever searches is shown all the same
 */
public record SearchTools(boolean isUsual, Map<String, Boolean> byUser, List<String> alwaysListed) {
    /** Everybody is shown every tool. */
    public static final SearchTools NOBODY = new SearchTools(false, Map.of(), List.of());

    static final String SEARCH_TOOLS = "search-tools";
    static final String ALWAYS_LISTED = "always-listed";

    private static final String OTHERS = "*";

    public SearchTools {
        byUser = Map.copyOf(byUser);
        alwaysListed = List.copyOf(alwaysListed);
    }

    /** Reads {@code search-tools} and {@code always-listed} of {@code catalog}, and {@code search-tools} of each user. */
    static SearchTools from(Settings bridge, Settings catalog, Mistakes mistakes) {
        var isUsual = catalog.flag(SEARCH_TOOLS, false);
        var alwaysListed = catalog.texts(ALWAYS_LISTED);
        var byUser = new LinkedHashMap<String, Boolean>();
        bridge.sections("clients").forEach((user, section) -> {
            var searches = section.allowUnknownKeys().flag(SEARCH_TOOLS, false);
            if (section.has(SEARCH_TOOLS)) {
                byUser.put(user, searches);
            }
            mistakes.collect(() -> section.finish(() -> searches));
        });
        mistakes.collect(() -> catalog.allowUnknownKeys().finish(() -> catalog));
        return new SearchTools(isUsual, byUser, alwaysListed);
    }

    /** What of the section {@code catalog} is for the catalog that it chooses. */
    static Settings others(Settings catalog) {
        var keys = new LinkedHashSet<>(catalog.keys());
        keys.removeAll(List.of(SEARCH_TOOLS, ALWAYS_LISTED));
        return catalog.only(keys);
    }

    /** Whether anybody searches. */
    public boolean isUsed() {
        return isUsual || byUser.containsValue(true);
    }

    /** Whether a user searches. */
    public boolean isFor(String user) {
        var others = byUser.getOrDefault(OTHERS, isUsual);
        return byUser.getOrDefault(user, others);
    }

    /** Whether a tool is shown to whoever searches, by the name that clients see. */
    public boolean lists(String name) {
        return !alwaysListed.isEmpty() && new NameFilter(alwaysListed, List.of()).admits(name);
    }
}
