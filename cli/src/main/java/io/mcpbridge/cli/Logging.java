package io.mcpbridge.cli;

import java.util.logging.ConsoleHandler;
import java.util.logging.Level;
import java.util.logging.LogManager;
import java.util.logging.Logger;

/** Sends the log to standard error, one line per record; standard output belongs to the protocol. */
final class Logging {
    /** Kept here, since the logging of the JDK forgets loggers, with their levels, that nobody holds. */
    private static final Logger OURS = Logger.getLogger("io.mcpbridge");

    private Logging() {}

    /** Shows warnings and worse. */
    static void toStandardError() {
        LogManager.getLogManager().reset();
        var handler = new ConsoleHandler();
        handler.setFormatter(new LogLine());
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
