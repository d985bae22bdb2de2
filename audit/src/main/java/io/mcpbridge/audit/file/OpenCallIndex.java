package io.mcpbridge.audit.file;

import io.mcpbridge.audit.record.ParsedRecord;
import io.mcpbridge.audit.record.RecordType;
import io.mcpbridge.audit.verify.Segment;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The open calls of a trail, those with an enter record and no exit record, with the places of the enters. For one
 * thread.
 */
final class OpenCallIndex {
    /** The most calls with a lost exit that stay open until the next start ends them in doubt. */
    private static final int MAX_LOST_EXITS = 1_024;

    private final Map<String, Place> places = new LinkedHashMap<>();
    private int lostExits;

    /**
     * The place of a line in the trail.
     *
     * @param first the sequence of the first record of its segment
     * @param offset in that segment
     */
    record Place(long first, long offset) {}

    /** Adds a call whose enter was written. */
    void entered(String correlationId, Place place) {
        places.put(correlationId, place);
    }

    /** Removes a call whose exit was written. */
    void left(String correlationId) {
        places.remove(correlationId);
    }

    /**
     * Keeps a call whose exit is lost as open. Beyond the limit the call is removed, and only the note of the gap
     * remains.
     */
    void exitLost(String correlationId) {
        if (lostExits >= MAX_LOST_EXITS) {
            places.remove(correlationId);
        } else if (places.containsKey(correlationId)) {
            lostExits++;
        }
    }

    /** Adds or removes the call of a line that was read. */
    void note(ParsedRecord line, Segment segment, long offset) {
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
