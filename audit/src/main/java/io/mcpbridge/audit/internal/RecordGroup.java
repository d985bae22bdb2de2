package io.mcpbridge.audit.internal;

import io.mcpbridge.audit.record.RecordBody;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Records that are written together, all or none, with their events.
 *
 * @param bodies the records, in the order in which they are written
 * @param events the events of the records, without the note of a gap
 * @param gap the losses that the first record reports; empty if that record belongs to an event
 */
public record RecordGroup(List<RecordBody> bodies, List<PendingRecord> events, Optional<LostRecordCounter.Gap> gap) {
    /** No records. */
    public static final RecordGroup EMPTY = of(List.of());

    public RecordGroup {
        bodies = List.copyOf(bodies);
        events = List.copyOf(events);
    }

    /** A group of events with their records. */
    static RecordGroup of(List<PendingRecord> events) {
        return new RecordGroup(events.stream().map(PendingRecord::body).toList(), events, Optional.empty());
    }

    /** This group with the note of a gap before the others. */
    RecordGroup after(LostRecordCounter.Gap newGap, RecordBody note) {
        var all = new ArrayList<RecordBody>(bodies.size() + 1);
        all.add(note);
        all.addAll(bodies);
        return new RecordGroup(all, events, Optional.of(newGap));
    }

    /** Each record as a group of its own. */
    List<RecordGroup> split() {
        var singles = new ArrayList<RecordGroup>(bodies.size());
        gap.ifPresent(each -> singles.add(new RecordGroup(bodies.subList(0, 1), List.of(), gap)));
        for (int i = 0; i < events.size(); i++) {
            singles.add(of(events.subList(i, i + 1)));
        }
        return singles;
    }

    public boolean isEmpty() {
        return bodies.isEmpty();
    }

    /** The index of the record of the first event: 1 if the note of a gap comes before it, else 0. */
    public int firstEvent() {
        return bodies.size() - events.size();
    }

    /** Whether a caller waits for one of the records. */
    public boolean isAwaited() {
        return events.stream().anyMatch(PendingRecord::isAwaited);
    }
}
