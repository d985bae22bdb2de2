package io.mcpbridge.audit.file;

import io.mcpbridge.call.Timekeeper;
import io.mcpbridge.spi.LogThrottle;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.nio.file.FileSystemException;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListMap;

/**
 * The faults of a trail in a folder, logged when they begin and when they are over. Any thread may read them.
 *
 * <p>A disk that is full again and again does not fill the log: an end is logged once it has lasted.
 */
final class StoreHealth {
    /** The fault that no record can be written; others leave the records as they are. */
    static final String WRITING = "writing";

    private final Map<String, String> faults = new ConcurrentSkipListMap<>();
    private final Map<String, LogThrottle> calms = new ConcurrentHashMap<>();
    private final String place;
    private final System.Logger logger;
    private final Timekeeper timekeeper;

    StoreHealth(Object place, System.Logger logger, Timekeeper timekeeper) {
        this.timekeeper = timekeeper;
        this.place = "the audit trail in '" + place + "'";
        this.logger = logger;
    }

    /** An operation fails; {@code consequence} is what that means for the trail. */
    void begin(String what, String consequence, Throwable why) {
        var words = "%s failed on %s: %s".formatted(what, place, words(why));
        faults.put(what, words);
        if (calm(what).failed()) {
            // The message of an I/O failure says enough; of a defect, the stack trace is logged too.
            var trace = why instanceof IOException ? null : why;
            logger.log(Level.ERROR, "[mcp-bridge] %s; %s".formatted(words, consequence), trace);
        }
    }

    /** The message of a failure, with the name of its class where that says more than the message. */
    static String words(Throwable why) {
        var message = why.getMessage();
        if (!(why instanceof IOException) || message == null) {
            return why.toString();
        }
        return why instanceof FileSystemException ? why.getClass().getSimpleName() + ": " + message : message;
    }

    /** The operation works again. */
    void end(String what) {
        if (faults.remove(what) != null) {
            var words = "[mcp-bridge] %s works again on %s".formatted(what, place);
            calm(what).worked(() -> logger.log(Level.INFO, words));
        }
    }

    private LogThrottle calm(String what) {
        return calms.computeIfAbsent(what, unused -> new LogThrottle(timekeeper));
    }

    /** Whether no record can be written. */
    boolean isWritingFailing() {
        return faults.containsKey(WRITING);
    }

    /** The fault that matters most. */
    Optional<String> worst() {
        return Optional.ofNullable(faults.get(WRITING))
                .or(() -> faults.values().stream().findFirst());
    }
}
