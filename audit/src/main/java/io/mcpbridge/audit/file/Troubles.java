package io.mcpbridge.audit.file;

import io.mcpbridge.call.Timekeeper;
import io.mcpbridge.spi.Calm;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.nio.file.FileSystemException;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListMap;

/**
 * What keeps the trail from being kept, told when it begins and when it is over. Any thread may ask.
 *
 * <p>A disk that is full by turns begins and ends it as often as it likes, so that it is over is told once it has held.
 */
final class Troubles {
    /** What keeps records from being kept at all; everything else leaves them as they are. */
    static final String WRITING = "writing";

    private final Map<String, String> troubles = new ConcurrentSkipListMap<>();
    private final Map<String, Calm> calms = new ConcurrentHashMap<>();
    private final String place;
    private final System.Logger logger;
    private final Timekeeper timekeeper;

    Troubles(Object place, System.Logger logger, Timekeeper timekeeper) {
        this.timekeeper = timekeeper;
        this.place = "the audit trail in '" + place + "'";
        this.logger = logger;
    }

    /** Something fails; {@code consequence} is what that means. */
    void begin(String what, String consequence, Throwable why) {
        var words = "%s failed on %s: %s".formatted(what, place, words(why));
        troubles.put(what, words);
        if (calm(what).failed()) {
            tell("[mcp-bridge] %s; %s".formatted(words, consequence), why);
        }
    }

    /** Where the disk is at fault it says why itself; the place in our code is for whoever looks for a defect. */
    private void tell(String words, Throwable why) {
        if (why instanceof IOException) {
            logger.log(Level.ERROR, words);
        } else {
            logger.log(Level.ERROR, words, why);
        }
    }

    /** A failure in words: that of a disk without the name of a class, unless its message is no more than a path. */
    static String words(Throwable why) {
        var message = why.getMessage();
        if (!(why instanceof IOException) || message == null) {
            return why.toString();
        }
        return why instanceof FileSystemException ? why.getClass().getSimpleName() + ": " + message : message;
    }

    /** It works again. */
    void end(String what) {
        if (troubles.remove(what) != null) {
            var words = "[mcp-bridge] %s works again on %s".formatted(what, place);
            calm(what).worked(() -> logger.log(Level.INFO, words));
        }
    }

    private Calm calm(String what) {
        return calms.computeIfAbsent(what, unused -> new Calm(timekeeper));
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
