package io.mcpbridge.audit.file;

import io.mcpbridge.spi.Occurrences;
import java.lang.System.Logger.Level;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentSkipListMap;

/**
 * What keeps the trail from being kept, told when it begins and when it is over. Any thread may ask.
 *
 * <p>A disk that is full by turns begins and ends it as often as it likes, so of each only the 1st, 2nd, 4th, 8th … time is
 * told.
 */
final class Troubles {
    /** What keeps records from being kept at all; everything else leaves them as they are. */
    static final String WRITING = "writing";

    private final Map<String, String> troubles = new ConcurrentSkipListMap<>();
    private final Occurrences begun = new Occurrences();
    private final Occurrences ended = new Occurrences();
    private final String place;
    private final System.Logger logger;

    Troubles(Object place, System.Logger logger) {
        this.place = "the audit trail in '" + place + "'";
        this.logger = logger;
    }

    /** Something fails; {@code consequence} is what that means. */
    void begin(String what, String consequence, Throwable why) {
        var words = "%s failed on %s: %s".formatted(what, place, why);
        if (troubles.put(what, words) == null) {
            begun.count(what)
                    .ifPresent(count -> logger.log(
                            Level.ERROR, "[mcp-bridge] %s; %s%s".formatted(words, consequence, times(count)), why));
        }
    }

    /** It works again. */
    void end(String what) {
        if (troubles.remove(what) != null) {
            ended.count(what)
                    .ifPresent(count -> logger.log(
                            Level.INFO, "[mcp-bridge] %s works again on %s%s".formatted(what, place, times(count))));
        }
    }

    private static String times(long count) {
        return count == 1 ? "" : " (%d times by now)".formatted(count);
    }

    /** Whether no record can be written. */
    boolean stopsRecords() {
        return troubles.containsKey(WRITING);
    }

    /** The worst of them. */
    Optional<String> words() {
        return Optional.ofNullable(troubles.get(WRITING))
                .or(() -> troubles.values().stream().findFirst());
    }
}
