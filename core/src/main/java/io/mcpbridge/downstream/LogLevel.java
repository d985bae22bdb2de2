package io.mcpbridge.downstream;

import java.util.Locale;
import java.util.Optional;

/** The severities of {@code notifications/message}, from RFC 5424, the mildest first. */
enum LogLevel {
    DEBUG,
    INFO,
    NOTICE,
    WARNING,
    ERROR,
    CRITICAL,
    ALERT,
    EMERGENCY;

    static Optional<LogLevel> parse(String text) {
        for (var level : values()) {
            if (level.name().toLowerCase(Locale.ROOT).equals(text)) {
                return Optional.of(level);
            }
        }
        return Optional.empty();
    }

    boolean isAtLeast(LogLevel other) {
        return compareTo(other) >= 0;
    }
}
