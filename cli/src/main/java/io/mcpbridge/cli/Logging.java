package io.mcpbridge.cli;

import java.util.logging.ConsoleHandler;
import java.util.logging.Level;
import java.util.logging.LogManager;
import java.util.logging.Logger;
import java.util.logging.SimpleFormatter;

/** Sends the log to standard error, one line per record; standard output belongs to the protocol. */
final class Logging {
    private static final String LINE = "%1$tFT%1$tT.%1$tL %4$-7s %5$s%6$s%n";

    /** Kept here, since the logging of the JDK forgets loggers, with their levels, that nobody holds. */
    private static final Logger OURS = Logger.getLogger("io.mcpbridge");

    private Logging() {}

    /** Shows warnings and worse. */
    static void toStandardError() {
        System.setProperty("java.util.logging.SimpleFormatter.format", LINE);
        LogManager.getLogManager().reset();
        var handler = new ConsoleHandler();
        handler.setFormatter(new SimpleFormatter());
        handler.setLevel(Level.ALL);
        var root = Logger.getLogger("");
        root.addHandler(handler);
        show(Level.WARNING);
    }

    /** Shows records of our own from this level up. */
    static void show(Level level) {
        Logger.getLogger("").setLevel(Level.WARNING);
        OURS.setLevel(level);
    }
}
