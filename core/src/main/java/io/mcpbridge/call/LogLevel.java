package io.mcpbridge.call;

import java.util.Locale;
import java.util.Optional;

/** The severities of {@code notifications/message}, from RFC 5424, the mildest first. */
public enum LogLevel {
    DEBUG,
    INFO,
    NOTICE,
    WARNING,
    ERROR,
    CRITICAL,
    ALERT,
    EMERGENCY;

    /** The level that the specification writes this way; empty for any other text. */
    public static Optional<LogLevel> parse(String text) {
        for (var level : values()) {
            if (level.text().equals(text)) {
                return Optional.of(level);
            }
        }
        return Optional.empty();
    }

    /** As it is written on the wire. */
    public String text() {
        return name().toLowerCase(Locale.ROOT);
    }

    public boolean isAtLeast(LogLevel other) {
        return compareTo(other) >= 0;
    }
}
