package io.mcpbridge.audit.file;

import io.mcpbridge.audit.record.AuditLine;
import io.mcpbridge.audit.record.RecordType;
import io.mcpbridge.audit.verify.Segment;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

/** The calls whose enter is in the trail and whose exit is not, with the places of the enters. For one thread. */
final class OpenCallPlaces {
    /** The number of calls without an exit that stay here; the next start ends them in doubt. */
    private static final int MAX_LOST_EXITS = 1_024;

    private final Map<String, Place> places = new LinkedHashMap<>();
    private int lostExits;

    /**
     * The place of a line.
     *
     * @param first the sequence of the first record of its segment
     * @param offset in that segment
     */
    record Place(long first, long offset) {}

    /** A call has its enter. */
    void entered(String correlationId, Place place) {
        places.put(correlationId, place);
    }

    /** A call has its exit. */
    void left(String correlationId) {
        places.remove(correlationId);
    }

    /** The exit of a call is lost: it stays open, but only so many do. For the others, the note of the gap must do. */
    void exitLost(String correlationId) {
        if (lostExits >= MAX_LOST_EXITS) {
            places.remove(correlationId);
        } else if (places.containsKey(correlationId)) {
            lostExits++;
        }
    }

    /** Takes a line that was read. */
    void note(AuditLine line, Segment segment, long offset) {
        var correlationId = line.text("correlationId").orElse("");
        if (line.type() == RecordType.ENTER) {
            entered(correlationId, new Place(segment.first(), offset));
        } else if (line.type() == RecordType.EXIT) {
            left(correlationId);
        }
    }

    /** Forgets the calls of a segment that is removed. */
    void forget(Segment segment) {
        places.values().removeIf(place -> place.first() == segment.first());
    }

    /** The places of the enters by the correlation ids of the calls. */
    Map<String, Place> calls() {
        return Collections.unmodifiableMap(places);
    }
}
