package io.mcpbridge.audit.file;

import java.lang.System.Logger.Level;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentSkipListMap;

/** What keeps the trail from being kept, told once when it begins and once when it is over. Any thread may ask. */
final class Troubles {
    /** What keeps records from being kept at all; everything else leaves them as they are. */
    static final String WRITING = "writing";

    private final Map<String, String> troubles = new ConcurrentSkipListMap<>();
    private final String place;
    private final System.Logger logger;

    Troubles(Object place, System.Logger logger) {
        this.place = "the audit trail in '" + place + "'";
        this.logger = logger;
    }

    /** Something fails; {@code consequence} is what that means. */
    void begin(String what, String consequence, Throwable why) {
        var words = "%s failed on %s: %s".formatted(what, place, why);
        if (!words.equals(troubles.put(what, words))) {
            logger.log(Level.ERROR, "[mcp-bridge] " + words + "; " + consequence, why);
        }
    }

    /** It works again. */
    void end(String what) {
        if (troubles.remove(what) != null) {
            logger.log(Level.INFO, "[mcp-bridge] %s works again on %s".formatted(what, place));
        }
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
