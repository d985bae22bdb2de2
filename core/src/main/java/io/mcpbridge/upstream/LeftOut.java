package io.mcpbridge.upstream;

import static java.util.stream.Collectors.joining;

import io.mcpbridge.failure.VisibleText;
import io.mcpbridge.spi.Reading;
import java.lang.System.Logger.Level;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The tools that a server lists and nobody can call, and why. Tells the log once of each; a server that has ever new ones
 * fills neither the log nor the memory. Any thread may use it.
 */
final class LeftOut {
    /** More tools than these are not told of. */
    static final int MOST = 100;

    private static final String NAME = "catalog.left-out";
    private static final int MOST_NAMES = 10;
    private static final int LONGEST_NAME = 128;
    private static final int LONGEST_REASON = 400;

    private final String server;
    private final System.Logger logger;
    private final Set<String> told = ConcurrentHashMap.newKeySet();

    /** Those of the last listing. */
    private final Map<String, String> reasons = new ConcurrentSkipListMap<>();

    private final AtomicInteger count = new AtomicInteger();

    LeftOut(String server, System.Logger logger) {
        this.server = server;
        this.logger = logger;
    }

    /** The server is listed anew: what was left out before is no longer. */
    void begin() {
        reasons.clear();
        count.set(0);
    }

    /**
     * Adds one.
     *
     * @param tool its name, or what to call it that has none
     * @return the reason as it can be shown to anybody
     */
    String add(String tool, String why) {
        count.incrementAndGet();
        var reason = shown(why, LONGEST_REASON);
        if (reasons.size() < MOST) {
            reasons.put(tool, reason);
        }
        var words = "the tool '%s' of server '%s' cannot be called and is not listed: %s"
                .formatted(shown(tool, LONGEST_NAME), server, reason);
        if (told.size() < MOST && told.add(words)) {
            logger.log(Level.WARNING, "[mcp-bridge] " + words);
        }
        return reason;
    }

    /** How many were left out of the last listing, and which. */
    Reading reading() {
        return new Reading(NAME, count.get(), count.get() == 0 ? "" : words());
    }

    private String words() {
        var shown = reasons.entrySet().stream()
                .limit(MOST_NAMES)
                .map(each -> "'%s' (%s)".formatted(shown(each.getKey(), LONGEST_NAME), each.getValue()))
                .collect(joining(", "));
        var more = count.get() - MOST_NAMES;
        return "cannot be called and not listed: %s%s".formatted(shown, more > 0 ? " and %d more".formatted(more) : "");
    }

    /** A text of the server, cut, and with what nobody would see of it escaped. */
    private static String shown(String text, int longest) {
        return VisibleText.beginning(text, longest);
    }
}
