package io.mcpbridge.cli;

import java.time.Instant;
import java.time.temporal.ChronoUnit;

/** Shows values to people. */
final class Shown {

    private Shown() {}

    /** To the second, in UTC. */
    static String moment(Instant moment) {
        return moment.truncatedTo(ChronoUnit.SECONDS).toString();
    }
}
