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
 * Tracks the faults of a trail in a folder and logs when they begin and end. Any thread may read them.
 *
 * <p>A disk that is full again and again does not fill the log: the end of a fault is logged only after it has lasted.
 */
final class StoreHealth {
    /** The operation whose fault keeps records from being written; other faults lose no records. */
    static final String WRITING = "writing";

    private final Map<String, String> faults = new ConcurrentSkipListMap<>();
    private final Map<String, LogThrottle> throttles = new ConcurrentHashMap<>();
    private final String place;
    private final System.Logger logger;
    private final Timekeeper timekeeper;

    StoreHealth(Object place, System.Logger logger, Timekeeper timekeeper) {
        this.timekeeper = timekeeper;
        this.place = "the audit trail in '" + place + "'";
        this.logger = logger;
    }

    /** Notes that an operation failed; {@code consequence} is the effect on the trail. */
    void begin(String what, String consequence, Throwable why) {
        var words = "%s failed on %s: %s".formatted(what, place, words(why));
        faults.put(what, words);
        if (throttle(what).failed()) {
            // The message of an I/O failure says enough; of a defect, the stack trace is logged too.
            var trace = why instanceof IOException ? null : why;
            logger.log(Level.ERROR, "[mcp-bridge] %s; %s".formatted(words, consequence), trace);
        }
    }

    /** The message of a failure, with the name of its class unless it is a plain {@link IOException}. */
    static String words(Throwable why) {
        var message = why.getMessage();
        if (!(why instanceof IOException) || message == null) {
            return why.toString();
        }
        return why instanceof FileSystemException ? why.getClass().getSimpleName() + ": " + message : message;
    }

    /** Notes that the operation works again. */
    void end(String what) {
        if (faults.remove(what) != null) {
            var words = "[mcp-bridge] %s works again on %s".formatted(what, place);
            throttle(what).worked(() -> logger.log(Level.INFO, words));
        }
    }

    private LogThrottle throttle(String what) {
        return throttles.computeIfAbsent(what, unused -> new LogThrottle(timekeeper));
    }

    /** Whether no record can be written. */
    boolean isWritingFailing() {
        return faults.containsKey(WRITING);
    }

    /** The most severe fault. */
    Optional<String> worst() {
        return Optional.ofNullable(faults.get(WRITING))
                .or(() -> faults.values().stream().findFirst());
    }
}
