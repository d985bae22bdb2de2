package io.mcpbridge.cli;

import io.mcpbridge.spi.Reading;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Set;

/** Shows values to people. */
final class Shown {
    private static final Set<String> TOOLS_KEPT_BACK = Set.of("catalog.quarantined", "catalog.left-out");

    private Shown() {}

    /** Whether it tells of tools that nobody may see or call, which matters however well their server is. */
    static boolean isQuarantine(Reading reading) {
        return TOOLS_KEPT_BACK.contains(reading.name()) && reading.value() > 0;
    }

    /** A whole number without decimals. */
    static String number(double value) {
        return value == Math.rint(value) && Math.abs(value) < 1e15
                ? Long.toString((long) value)
                : Double.toString(value);
    }

    /** To the second, in UTC. */
    static String moment(Instant moment) {
        return moment.truncatedTo(ChronoUnit.SECONDS).toString();
    }
}
