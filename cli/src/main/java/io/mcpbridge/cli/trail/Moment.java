package io.mcpbridge.cli.trail;

import java.time.Clock;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.Map;
import java.util.regex.Pattern;

/** A moment as people write it: {@code 2026-01-31T08:00:00Z}, or so long ago, {@code 10m}. */
public final class Moment {
    private static final Pattern AGO = Pattern.compile("([0-9]{1,9})(s|m|h|d)");
    private static final Map<String, Duration> UNITS = Map.of(
            "s", Duration.ofSeconds(1), "m", Duration.ofMinutes(1), "h", Duration.ofHours(1), "d", Duration.ofDays(1));

    private Moment() {}

    /**
     * Reads it.
     *
     * @param clock says what is now
     * @throws IllegalArgumentException if it is none
     */
    public static Instant parse(String text, Clock clock) {
        var ago = AGO.matcher(text);
        if (ago.matches()) {
            var unit = UNITS.getOrDefault(ago.group(2), Duration.ZERO);
            return clock.instant().minus(unit.multipliedBy(Long.parseLong(ago.group(1))));
        }
        try {
            return OffsetDateTime.parse(text).toInstant();
        } catch (DateTimeException noMoment) {
            throw new IllegalArgumentException(
                    "'%s' must be a moment such as 2026-01-31T08:00:00Z, or how long ago it was, such as 10m, 2h or 3d"
                            .formatted(text));
        }
    }
}
