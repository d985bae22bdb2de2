package io.mcpbridge.config;

import io.mcpbridge.spi.MistakeCollector;
import io.mcpbridge.spi.Settings;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * What each user may see and use, and which users search for tools instead of listing all of them. Users are identified
 * by name, independent of how they authenticated; {@code *} matches all users without an entry.
 *
 * @param grants what each user may see and use
 * @param isSearchDefault whether users without an entry in {@code searches} search
 * @param searches whether a user searches
 * @param alwaysListed patterns of names that are listed for users who search, too
 */
public record UserAccess(
        Map<String, Grants> grants, boolean isSearchDefault, Map<String, Boolean> searches, List<String> alwaysListed) {
    /** Every user may use everything, and lists all tools. */
    public static final UserAccess ALL = new UserAccess(Map.of(), false, Map.of(), List.of());

    private static final String SEARCH_TOOLS = "search-tools";
    private static final String ALWAYS_LISTED = "always-listed";
    private static final String OTHERS = "*";
    private static final String DOTTED =
            "bridge.clients.%s.tools: '%s' selects no tool of server '%s'; write '%s" + ToolNaming.SEPARATOR + "%s'";

    public UserAccess {
        grants = Map.copyOf(grants);
        searches = Map.copyOf(searches);
        alwaysListed = List.copyOf(alwaysListed);
    }

    /**
     * Reads the sections of users in {@code clients}, and the two keys of {@code catalog} that are not its plug-in's.
     */
    static UserAccess from(Settings bridge, Settings catalog, MistakeCollector mistakes) {
        var isSearchDefault = catalog.flag(SEARCH_TOOLS, false);
        var alwaysListed = catalog.texts(ALWAYS_LISTED);
        mistakes.collect(() -> catalog.allowUnknownKeys().finish(() -> catalog));
        var grants = new LinkedHashMap<String, Grants>();
        var searches = new LinkedHashMap<String, Boolean>();
        bridge.sections("clients").forEach((user, section) -> {
            var isSearching = section.flag(SEARCH_TOOLS, false);
            if (section.has(SEARCH_TOOLS)) {
                searches.put(user, isSearching);
            }
            var granted = Grants.from(section, mistakes);
            mistakes.collect(() -> section.finish(() -> granted)).ifPresent(read -> grants.put(user, read));
        });
        return new UserAccess(grants, isSearchDefault, searches, alwaysListed);
    }

    /** The section {@code catalog} without the keys that are read here. */
    static Settings withoutSearch(Settings catalog) {
        var keys = new LinkedHashSet<>(catalog.keys());
        keys.removeAll(List.of(SEARCH_TOOLS, ALWAYS_LISTED));
        return catalog.only(keys);
    }

    /** What a user may see and use. */
    public Grants of(String user) {
        return grants.getOrDefault(user, grants.getOrDefault(OTHERS, Grants.ALL));
    }

    /** Warns of patterns {@code server.tool}, which select no tool of that server. */
    List<String> dottedPatterns(String server) {
        var warnings = new ArrayList<String>();
        grants.forEach((user, granted) -> Stream.of(granted.tools.allow(), granted.tools.deny())
                .flatMap(List::stream)
                .filter(pattern -> pattern.startsWith(server + "."))
                .map(pattern -> DOTTED.formatted(user, pattern, server, server, pattern.substring(server.length() + 1)))
                .forEach(warnings::add));
        return warnings;
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

    /**
     * What one user may see and use. A completion needs the prompt or the resource that it refers to.
     *
     * @param tools by exposed name
     * @param resources by URI; also templates, by their text
     * @param prompts by exposed name
     */
    public record Grants(NameFilter tools, NameFilter resources, NameFilter prompts) {
        /** Everything. */
        public static final Grants ALL = new Grants(NameFilter.ALL, NameFilter.ALL, NameFilter.ALL);

        private static final List<String> KINDS = List.of("tools", "resources", "prompts");

        /**
         * Reads the sections of one user. A kind without a section is not restricted, unless another kind has {@code
         * allow}: then the user has only what is allowed.
         */
        static Grants from(Settings user, MistakeCollector mistakes) {
            var sections = KINDS.stream().map(user::section).toList();
            var others = sections.stream().anyMatch(NameFilter::allows) ? NameFilter.NONE : NameFilter.ALL;
            var filters = new ArrayList<NameFilter>();
            for (int i = 0; i < KINDS.size(); i++) {
                var section = sections.get(i);
                var filter = user.has(KINDS.get(i)) ? NameFilter.from(section) : others;
                filters.add(mistakes.collect(() -> section.finish(() -> filter)).orElse(filter));
            }
            return new Grants(filters.get(0), filters.get(1), filters.get(2));
        }
    }
}
