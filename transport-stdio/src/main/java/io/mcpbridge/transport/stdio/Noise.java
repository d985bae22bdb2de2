package io.mcpbridge.transport.stdio;

import io.mcpbridge.failure.ProtocolException;
import io.mcpbridge.spi.Environment;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.function.Supplier;

/**
 * Lines from a child that are no messages, such as words meant for a log. Used by the reader thread.
 *
 * <p>They are passed over and counted. The log hears of them once in a while, and a child that says nothing
 * else for long has lost its way.
 */
final class Noise {
    /** So many lines in a row end the connection. */
    static final int LONGEST_RUN = 1_000;

    private static final long LOG_EVERY = Duration.ofSeconds(10).toNanos();
    private static final int EXCERPT_LENGTH = 60;

    private final String command;
    private final SafeText words;
    private final Environment environment;
    private long total;
    private long logged;
    private long loggedAt;
    private int run;

    Noise(String command, SafeText words, Environment environment) {
        this.command = command;
        this.words = words;
        this.environment = environment;
    }

    /** A message came between. */
    void interrupted() {
        run = 0;
    }

    /**
     * A line was passed over.
     *
     * @param why what is wrong with it
     * @throws ProtocolException if there were too many in a row
     */
    void skipped(byte[] line, ProtocolException why) {
        total++;
        run++;
        // Not the words of the exception: they quote the line as it is.
        log(() -> "%s: '%s'".formatted(why.code(), words.beginning(line, EXCERPT_LENGTH)));
        if (run >= LONGEST_RUN) {
            throw ProtocolException.upstreamInvalid("%d lines in a row were no messages, the last of them '%s'"
                    .formatted(run, words.beginning(line, EXCERPT_LENGTH)));
        }
    }

    /** The output ended within a line. */
    void brokeOff() {
        total++;
        log(() -> "unfinished at the end");
    }

    private void log(Supplier<String> last) {
        var now = environment.timekeeper().nanoTime();
        if (logged > 0 && now - loggedAt < LOG_EVERY) {
            return;
        }
        loggedAt = now;
        environment
                .logger()
                .log(
                        Level.WARNING,
                        "[mcp-bridge] ''{0}'' wrote {1} more lines to its standard output that are no messages, the last of them {2}",
                        command,
                        total - logged,
                        last.get());
        logged = total;
    }
}
