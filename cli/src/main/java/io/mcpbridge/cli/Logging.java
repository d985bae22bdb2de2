package io.mcpbridge.cli;

import io.mcpbridge.failure.VisibleText;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.Set;
import java.util.TimeZone;
import java.util.logging.ConsoleHandler;
import java.util.logging.Formatter;
import java.util.logging.Level;
import java.util.logging.LogManager;
import java.util.logging.LogRecord;
import java.util.logging.Logger;

/** Writes the log to standard error, one line per record; standard output belongs to the protocol. */
final class Logging {
    /** A strong reference: the JDK's log manager keeps loggers, and so their levels, by weak references only. */
    private static final Logger OURS = Logger.getLogger("io.mcpbridge");

    private Logging() {}

    /** Shows warnings and worse. */
    static void toStandardError() {
        LogManager.getLogManager().reset();
        var handler = new ConsoleHandler();
        handler.setFormatter(new LogLineFormatter());
        handler.setLevel(Level.ALL);
        var root = Logger.getLogger("");
        root.addHandler(handler);
        show(Level.WARNING);
    }

    /** Sets the minimum level of our own log records. */
    static void show(Level level) {
        Logger.getLogger("").setLevel(Level.WARNING);
        OURS.setLevel(level);
    }

    /**
     * Formats a log record as one line, and its exception in the format of the JDK.
     *
     * <p>Log messages contain text of servers and clients. Line ends, terminal control sequences and invisible
     * characters are escaped, also in messages of exceptions, so no peer can forge a log line. Thread-safe.
     */
    static final class LogLineFormatter extends Formatter {
        private static final String LINE = "%1$tFT%1$tT.%1$tL %2$-7s %3$s%n";

        /** Longer messages are cut; text of peers is cut much sooner. */
        private static final int MAX_LENGTH = 16_000;

        /** The maximum number of exceptions shown for one record. */
        private static final int MAX_CAUSES = 50;

        /** Prints a line as the log does, without the log, whose first use takes a tenth of a short command. */
        static void print(Level level, String message) {
            System.err.print(line(Instant.now(), level, message));
        }

        private static String line(Instant at, Level level, String message) {
            // This date and the plain name of the level need no locale data, whose loading delays the start. The offset
            // needs no provider of zones, whose search opens each jar of the class path.
            var offset = TimeZone.getDefault().getOffset(at.toEpochMilli());
            var time = LocalDateTime.ofInstant(at, ZoneOffset.ofTotalSeconds(offset / 1000));
            return LINE.formatted(time, level.getName(), oneLine(message));
        }

        @Override
        public String format(LogRecord entry) {
            var line = line(entry.getInstant(), entry.getLevel(), String.valueOf(formatMessage(entry)));
            return entry.getThrown() == null ? line : line + trace(entry.getThrown());
        }

        private static String trace(Throwable thrown) {
            var lines = new StringBuilder();
            append(lines, "", thrown, Collections.newSetFromMap(new IdentityHashMap<>()));
            return lines.toString();
        }

        private static void append(StringBuilder lines, String title, Throwable thrown, Set<Throwable> seen) {
            if (seen.size() == MAX_CAUSES || !seen.add(thrown)) {
                return;
            }
            lines.append(title).append(oneLine(thrown.toString())).append(System.lineSeparator());
            for (var frame : thrown.getStackTrace()) {
                lines.append("\tat ").append(oneLine(frame.toString())).append(System.lineSeparator());
            }
            for (var suppressed : thrown.getSuppressed()) {
                append(lines, "\tSuppressed: ", suppressed, seen);
            }
            if (thrown.getCause() != null) {
                append(lines, "Caused by: ", thrown.getCause(), seen);
            }
        }

        private static String oneLine(String text) {
            return VisibleText.line(text.length() <= MAX_LENGTH ? text : text.substring(0, MAX_LENGTH) + "…");
        }
    }
}
