package io.mcpbridge.cli;

import io.mcpbridge.spi.GaugeReading;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Set;

/** Formats values for people. */
final class DisplayFormatter {
    private static final Set<String> WITHHELD_TOOLS = Set.of("catalog.quarantined", "catalog.left-out");

    private DisplayFormatter() {}

    /** Whether the reading counts withheld tools, which is shown for healthy servers too. */
    static boolean isQuarantine(GaugeReading reading) {
        return WITHHELD_TOOLS.contains(reading.name()) && reading.value() > 0;
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
