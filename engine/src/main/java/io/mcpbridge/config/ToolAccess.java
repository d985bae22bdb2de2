package io.mcpbridge.config;

import io.mcpbridge.spi.MistakeCollector;
import io.mcpbridge.spi.Settings;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;

/**
 * Which tools each user may use, and which users search for tools instead of listing all of them. Tools are identified
 * by their exposed names. Users are identified by name, independent of how they authenticated; {@code *} matches all
 * users without an entry.
 *
 * @param filters what each user may use
 * @param isSearchDefault whether users without an entry in {@code searches} search
 * @param searches whether a user searches
 * @param alwaysListed patterns of names that are listed for users who search, too
 */
public record ToolAccess(
        Map<String, NameFilter> filters,
        boolean isSearchDefault,
        Map<String, Boolean> searches,
        List<String> alwaysListed) {
    /** Every user may use every tool, and lists all of them. */
    public static final ToolAccess ALL = new ToolAccess(Map.of(), false, Map.of(), List.of());

    private static final String SEARCH_TOOLS = "search-tools";
    private static final String ALWAYS_LISTED = "always-listed";
    private static final String OTHERS = "*";

    public ToolAccess {
        filters = Map.copyOf(filters);
        searches = Map.copyOf(searches);
        alwaysListed = List.copyOf(alwaysListed);
    }

    /**
     * Reads the sections of users in {@code clients}, and the two keys of {@code catalog} that are not its plug-in's.
     */
    static ToolAccess from(Settings bridge, Settings catalog, MistakeCollector mistakes) {
        var isSearchDefault = catalog.flag(SEARCH_TOOLS, false);
        var alwaysListed = catalog.texts(ALWAYS_LISTED);
        mistakes.collect(() -> catalog.allowUnknownKeys().finish(() -> catalog));
        var filters = new LinkedHashMap<String, NameFilter>();
        var searches = new LinkedHashMap<String, Boolean>();
        bridge.sections("clients").forEach((user, section) -> {
            var isSearching = section.flag(SEARCH_TOOLS, false);
            if (section.has(SEARCH_TOOLS)) {
                searches.put(user, isSearching);
            }
            var tools = section.section("tools");
            var filter = NameFilter.from(tools);
            var isRead = mistakes.collect(() -> section.finish(() -> true)).isPresent();
            mistakes.collect(() -> tools.finish(() -> filter))
                    .filter(read -> isRead)
                    .ifPresent(read -> filters.put(user, read));
        });
        return new ToolAccess(filters, isSearchDefault, searches, alwaysListed);
    }

    /** The section {@code catalog} without the keys that are read here. */
    static Settings withoutSearch(Settings catalog) {
        var keys = new LinkedHashSet<>(catalog.keys());
        keys.removeAll(List.of(SEARCH_TOOLS, ALWAYS_LISTED));
        return catalog.only(keys);
    }

    /** What a user may use. */
    public NameFilter filter(String user) {
        return filters.getOrDefault(user, filters.getOrDefault(OTHERS, NameFilter.ALL));
    }

    /** Whether any user searches. */
    public boolean isSearchUsed() {
        return isSearchDefault || searches.containsValue(true);
    }

    /** Whether a user searches. */
    public boolean isSearching(String user) {
        return searches.getOrDefault(user, searches.getOrDefault(OTHERS, isSearchDefault));
    }

    /** Whether a tool is listed for users who search. */
    public boolean isAlwaysListed(String tool) {
        return !alwaysListed.isEmpty() && new NameFilter(alwaysListed, List.of()).admits(tool);
    }
}
