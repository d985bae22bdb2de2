package io.mcpbridge.upstream;

import static java.util.stream.Collectors.joining;

import io.mcpbridge.failure.VisibleText;
import io.mcpbridge.spi.Reading;
import java.lang.System.Logger.Level;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The tools that a server lists and nobody can call, and why. Tells the log once of each; a server that has ever new ones
 * fills neither the log nor the memory. Any thread may use it.
 */
final class LeftOut {
    /** The log is told of no more than these. */
    static final int MOST = 100;

    private static final String NAME = "catalog.left-out";
    private static final int MOST_NAMES = 10;
    private static final int LONGEST_NAME = 128;
    private static final int LONGEST_REASON = 400;

    private final String server;
    private final System.Logger logger;
    private final Set<String> told = ConcurrentHashMap.newKeySet();

    /** Those of the last listing. */
    private volatile SortedMap<String, String> last = Collections.emptySortedMap();

    LeftOut(String server, System.Logger logger) {
        this.server = server;
        this.logger = logger;
    }

    /**
     * The server is listed anew: what was left out before is no longer.
     *
     * @param reasons why not, by the names of the tools, or what to call those that have none
     * @return the same in words that can be shown to anybody
     */
    Map<String, String> replace(Map<String, String> reasons) {
        var shown = new TreeMap<String, String>();
        reasons.forEach((tool, why) -> shown.put(tool, shown(why, LONGEST_REASON)));
        last = Collections.unmodifiableSortedMap(shown);
        tell(reasons.keySet().stream()
                .map(tool -> "the tool '%s' of server '%s' cannot be called and is not listed: %s"
                        .formatted(shown(tool, LONGEST_NAME), server, shown.get(tool)))
                .filter(words -> told.size() < MOST && told.add(words))
                .toList());
        return last;
    }

    /** The first few of what is news; what comes after them is only counted. */
    private void tell(List<String> news) {
        news.stream().limit(MOST_NAMES).forEach(this::warn);
        if (news.size() > MOST_NAMES) {
            warn("and %d more tools of server '%s' cannot be called and are not listed"
                    .formatted(last.size() - MOST_NAMES, server));
        }
    }

    private void warn(String words) {
        logger.log(Level.WARNING, "[mcp-bridge] " + words);
    }

    /** How many were left out of the last listing, and which. */
    Reading reading() {
        var current = last;
        return new Reading(NAME, current.size(), current.isEmpty() ? "" : words(current));
    }

    private static String words(SortedMap<String, String> reasons) {
        var shown = reasons.entrySet().stream()
                .limit(MOST_NAMES)
                .map(each -> "'%s' (%s)".formatted(shown(each.getKey(), LONGEST_NAME), each.getValue()))
                .collect(joining(", "));
        var more = reasons.size() - MOST_NAMES;
        return "cannot be called and not listed: %s%s".formatted(shown, more > 0 ? " and %d more".formatted(more) : "");
    }

    /** A text of the server, cut, and with what nobody would see of it escaped. */
    private static String shown(String text, int longest) {
        return VisibleText.beginning(text, longest);
    }
}
