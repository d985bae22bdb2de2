package io.mcpbridge.audit.file;

import io.mcpbridge.audit.record.AuditRecords;
import io.mcpbridge.audit.record.RecordBody;
import io.mcpbridge.failure.CallException;
import io.mcpbridge.failure.ErrorCode;
import io.mcpbridge.failure.Failure;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Takes events from the queue in groups, makes records of them, writes them, and tells their completions. The only thread
 * that writes a trail, until it is told to stop.
 *
 * <p>Nothing ends it early: what fails, fails the group at hand, and the next one is tried anew.
 */
final class TrailWriter implements Runnable {
    private static final int MAX_GROUP = 512;
    private static final int MOST_IN_DOUBT = 1_024;
    private static final long MAX_GROUP_BYTES = 4L << 20;

    private final RecordQueue queue;
    private final Losses losses;
    private final AuditRecords records;
    private final LostExits lostExits = new LostExits(2 * RecordQueue.MAX_EVENTS, MOST_IN_DOUBT);
    private final Upkeep upkeep;
    private final Troubles troubles;
    private final WriterParts parts;
    private volatile long writtenGroups;
    private volatile long writtenRecords;
    private volatile boolean closing;
    private volatile boolean ended;

    /** An event with its record. */
    private record Made(Pending event, RecordBody body) {}

    TrailWriter(RecordQueue queue, Losses losses, Upkeep upkeep, WriterParts parts) {
        this.queue = queue;
        this.losses = losses;
        this.records = parts.records();
        this.upkeep = upkeep;
        this.troubles = parts.troubles();
        this.parts = parts;
    }

    @Override
    public void run() {
        while (!closing || queue.size() > 0) {
            step();
        }
        ended = true;
        // Whoever offered an event since then looks at 'ended' and takes it back, or finds that it was refused here.
        queue.poke();
        queue.take(Integer.MAX_VALUE, Long.MAX_VALUE).forEach(event -> refuse(event, "the audit trail is closed"));
        forgetLostExits();
        upkeep.close();
    }

    /** Lets the writer end once the queue is empty. */
    void stop() {
        closing = true;
        queue.poke();
    }

    /** Whether nothing is taken from the queue any more. */
    boolean hasEnded() {
        return ended;
    }

    /** How many records were written at once, on average. */
    long meanGroup() {
        var groups = writtenGroups;
        return groups == 0 ? 0 : Math.round((double) writtenRecords / groups);
    }

    /** An event whose record will not be in the trail. */
    void refuse(Pending event, String why) {
        refuse(event, unavailable(why));
    }

    void refuse(Pending event, CallException why) {
        losses.add(event.kind());
        if (event.kind() == Pending.Kind.EXIT) {
            lostExits.add(event.correlationId());
        }
        fail(event, why);
    }

    static CallException unavailable(String why) {
        return CallException.of(Failure.of(ErrorCode.AUDIT_UNAVAILABLE, why));
    }

    private void step() {
        var group = queue.take(MAX_GROUP, MAX_GROUP_BYTES);
        guard(upkeep::before);
        write(made(group));
        forgetLostExits();
        guard(upkeep::after);
    }

    /** Calls whose exit is lost would stay open for ever. */
    private void forgetLostExits() {
        lostExits.remember();
        // Where nothing waits now, the enters of those calls were written or lost before.
        lostExits.leave(upkeep.open(), queue.size() == 0);
    }

    /** Whatever goes wrong beside the records themselves, the writer must go on, for nobody else writes. */
    private void guard(Runnable action) {
        try {
            action.run();
        } catch (Throwable defect) {
            parts.logger().log(Level.ERROR, "[mcp-bridge] the audit writer failed", defect);
        }
    }

    private void write(List<Made> made) {
        try {
            writeWithGap(made);
            troubles.end(Troubles.WRITING);
        } catch (Throwable failed) {
            troubles.begin(Troubles.WRITING, "records are missing until it works again", failed);
            made.forEach(each -> refuse(each.event(), "the audit record cannot be written: " + Troubles.words(failed)));
            upkeep.tryAgain();
            return;
        }
        made.forEach(each -> succeed(each.event()));
    }

    private void writeWithGap(List<Made> made) throws IOException {
        upkeep.requireInPlace();
        var gap = losses.gap();
        var bodies = new ArrayList<RecordBody>(made.size() + 1);
        gap.ifPresent(
                each -> bodies.add(records.note(each.note(), parts.timekeeper().now())));
        made.forEach(each -> bodies.add(each.body()));
        if (bodies.isEmpty()) {
            return;
        }
        var isAwaited = made.stream().anyMatch(each -> each.event().completion().isAwaited());
        var written = isAwaited ? upkeep.write(bodies) : upkeep.writeForLater(bodies);
        count(bodies.size());
        gap.ifPresent(Losses.Gap::isTold);
        noteOpen(made, written, bodies.size() - made.size());
    }

    @SuppressWarnings("NonAtomicVolatileUpdate") // Only the writer's thread writes them.
    private void count(int records) {
        writtenGroups++;
        writtenRecords += records;
    }

    private List<Made> made(List<Pending> group) {
        var made = new ArrayList<Made>(group.size());
        for (var event : group) {
            body(event).ifPresent(body -> made.add(new Made(event, body)));
        }
        return made;
    }

    private Optional<RecordBody> body(Pending event) {
        try {
            return Optional.of(event.record().apply(records));
        } catch (Throwable unfit) {
            refuse(event, "no audit record can be made of it: " + unfit);
            return Optional.empty();
        }
    }

    private void noteOpen(List<Made> made, Trail.Group written, int before) {
        for (int i = 0; i < made.size(); i++) {
            var event = made.get(i).event();
            if (event.kind() == Pending.Kind.ENTER) {
                upkeep.open()
                        .entered(
                                event.correlationId(),
                                new OpenCalls.Place(
                                        written.segment().first(),
                                        written.offsets().get(before + i)));
            } else if (event.kind() == Pending.Kind.EXIT) {
                upkeep.open().left(event.correlationId());
            }
        }
    }

    private void succeed(Pending event) {
        try {
            event.completion().succeeded();
        } catch (Throwable defect) {
            warn(event, defect);
        }
    }

    private void fail(Pending event, Throwable why) {
        try {
            event.completion().failed(why);
        } catch (Throwable defect) {
            warn(event, defect);
        }
    }

    private void warn(Pending event, Throwable defect) {
        parts.logger()
                .log(
                        Level.ERROR,
                        "[mcp-bridge] a completion of the audit of call '%s' failed".formatted(event.correlationId()),
                        defect);
    }
}
