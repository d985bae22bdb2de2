package io.mcpbridge.upstream;

import static java.util.stream.Collectors.joining;

import io.mcpbridge.failure.VisibleText;
import io.mcpbridge.spi.Reading;
import java.lang.System.Logger.Level;
import java.util.Collections;
import java.util.Comparator;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListMap;

/**
 * The tools, resources, templates and prompts that a server lists and nobody can use, and why. Tells the log once of each;
 * a server that has ever new ones fills neither the log nor the memory. Any thread may use it.
 */
final class LeftOut {
    /** The log is told of no more than these of each kind. */
    static final int MOST = 100;

    private static final String NAME = "catalog.left-out";
    private static final int MOST_NAMES = 10;
    private static final int LONGEST_NAME = 128;
    private static final int LONGEST_REASON = 400;

    private final String server;
    private final System.Logger logger;

    /** What the log has been told, by what people call one of the kind. */
    private final Map<String, Set<String>> told = new ConcurrentHashMap<>();

    /** Those of the last listing of each kind, by what people call one of it; tools come first. */
    private final SortedMap<String, Map<String, String>> last = new ConcurrentSkipListMap<>(Comparator.reverseOrder());

    LeftOut(String server, System.Logger logger) {
        this.server = server;
        this.logger = logger;
    }

    /**
     * The server is listed anew: what of a kind was left out before is no longer.
     *
     * @param word what people call one of the kind
     * @param reasons why not, by the names of the elements, or what to call those that have none
     * @return the same in words that can be shown to anybody
     */
    Map<String, String> replace(String word, Map<String, String> reasons) {
        var shown = new TreeMap<String, String>();
        reasons.forEach((name, why) -> shown.put(name, shown(why, LONGEST_REASON)));
        last.put(word, Collections.unmodifiableSortedMap(shown));
        tell(word, reasons);
        return Collections.unmodifiableSortedMap(shown);
    }

    /** Names the first few of those that it has not told of, and counts the others. */
    private void tell(String word, Map<String, String> reasons) {
        var known = told.computeIfAbsent(word, kind -> ConcurrentHashMap.newKeySet());
        var news = reasons.entrySet().stream()
                .map(each -> "the %s '%s' of server '%s' cannot be used and is not listed: %s"
                        .formatted(
                                word,
                                shown(each.getKey(), LONGEST_NAME),
                                server,
                                shown(each.getValue(), LONGEST_REASON)))
                .filter(words -> !known.contains(words))
                .toList();
        var kept = news.stream()
                .filter(words -> known.size() < MOST && known.add(words))
                .toList();
        kept.stream().limit(MOST_NAMES).forEach(this::warn);
        var more = news.size() - Math.min(kept.size(), MOST_NAMES);
        if (more > 0 && !kept.isEmpty()) {
            warn("and %d more %ss of server '%s' cannot be used and are not listed".formatted(more, word, server));
        }
    }

    private void warn(String words) {
        logger.log(Level.WARNING, "[mcp-bridge] " + words);
    }

    /** How many were left out of the last listings, and which. */
    Reading reading() {
        var count = last.values().stream().mapToInt(Map::size).sum();
        return new Reading(NAME, count, count == 0 ? "" : words(count));
    }

    private String words(int count) {
        var shown = last.entrySet().stream()
                .flatMap(kind -> kind.getValue().entrySet().stream()
                        .map(each -> "%s '%s' (%s)"
                                .formatted(kind.getKey(), shown(each.getKey(), LONGEST_NAME), each.getValue())))
                .limit(MOST_NAMES)
                .collect(joining(", "));
        var more = count - MOST_NAMES;
        return "cannot be used and not listed: %s%s".formatted(shown, more > 0 ? " and %d more".formatted(more) : "");
    }

    /** A text of the server, cut, and with what nobody would see of it escaped. */
    private static String shown(String text, int longest) {
        return VisibleText.beginning(text, longest);
    }
}
