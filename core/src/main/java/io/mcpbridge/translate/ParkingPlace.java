package io.mcpbridge.translate;

import io.mcpbridge.call.Deadline;
import io.mcpbridge.call.Timekeeper;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Where one call is parked, again and again: its deadline stands still meanwhile, and an alarm ends the stay of a
 * client that does not come back. For one thread at a time: the call guards it.
 */
final class ParkingPlace {
    private final Deadline deadline;
    private final Timekeeper timekeeper;
    private Timekeeper.@Nullable Alarm timeout;
    private @Nullable Stay stay;

    /** What ends with a stay, and since when it lasts. */
    private record Stay(Runnable release, Timekeeper.Alarm expiry, Instant since) {}

    ParkingPlace(Deadline deadline, Timekeeper timekeeper) {
        this.deadline = deadline;
        this.timekeeper = timekeeper;
    }

    /**
     * Parks the call.
     *
     * @param expired runs after {@code longest}, unless the call has left
     * @param timedOut runs when the call's deadline comes, from the first stay on; until then the stages before the
     *     translation have watched it
     */
    void enter(Duration longest, Runnable expired, Runnable timedOut) {
        if (timeout == null) {
            timeout = deadline.alarm(timedOut);
        }
        stay = new Stay(deadline.hold(), timekeeper.schedule(longest, expired), timekeeper.now());
    }

    void leave() {
        var current = stay;
        if (current != null) {
            current.expiry().cancel();
            current.release().run();
            stay = null;
        }
    }

    /** Nobody watches the deadline any more. */
    void forgetDeadline() {
        if (timeout != null) {
            timeout.cancel();
        }
    }

    /** Since when the call is parked. */
    Optional<Instant> since() {
        return Optional.ofNullable(stay).map(Stay::since);
    }
}
