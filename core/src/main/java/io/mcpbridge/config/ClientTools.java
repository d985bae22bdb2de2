package io.mcpbridge.config;

import io.mcpbridge.spi.Settings;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * Which tools each user may use, by the names that clients see.
 *
 * @param byUser filters by the name of the user, whatever proves it; that of {@code *} is for all others
 */
public record ClientTools(Map<String, NameFilter> byUser) {
    /** Every user may use every tool. */
    public static final ClientTools ALL = new ClientTools(Map.of());

    private static final String OTHERS = "*";

    public ClientTools {
        byUser = Map.copyOf(byUser);
    }

    /** Reads the section {@code clients}: sections by user, each with {@code tools}. */
    static ClientTools from(Settings bridge, Mistakes mistakes) {
        var byUser = new LinkedHashMap<String, NameFilter>();
        bridge.sections("clients")
                .forEach((user, section) -> filter(section, mistakes).ifPresent(filter -> byUser.put(user, filter)));
        return new ClientTools(byUser);
    }

    private static Optional<NameFilter> filter(Settings user, Mistakes mistakes) {
        user.ignore(SearchTools.SEARCH_TOOLS);
        var tools = user.section("tools");
        var filter = NameFilter.from(tools);
        var known = mistakes.collect(() -> user.finish(() -> filter));
        return mistakes.collect(() -> tools.finish(() -> filter)).flatMap(read -> known);
    }

    /** What a user may use. */
    public NameFilter of(String user) {
        var others = byUser.getOrDefault(OTHERS, NameFilter.ALL);
        return byUser.getOrDefault(user, others);
    }
}
