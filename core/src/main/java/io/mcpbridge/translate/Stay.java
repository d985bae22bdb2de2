package io.mcpbridge.translate;

import io.mcpbridge.call.Timekeeper;
import java.time.Instant;

/**
 * The time that a call is parked, during which the clock of its deadline stands still.
 *
 * @param release lets the clock go on
 * @param expiry ends the stay of a client that does not come back
 * @param since when it began
 */
record Stay(Runnable release, Timekeeper.Alarm expiry, Instant since) {

    void end() {
        expiry.cancel();
        release.run();
    }
}
