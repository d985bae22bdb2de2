package io.mcpbridge.audit.file;

import io.mcpbridge.audit.record.AuditLine;
import io.mcpbridge.audit.record.RecordType;
import io.mcpbridge.audit.verify.Segment;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

/** The calls whose enter is in the trail and whose exit is not, with the places of the enters. For one thread at a time. */
final class OpenCalls {
    private final Map<String, Place> places = new LinkedHashMap<>();

    /**
     * Where a line stands.
     *
     * @param first the first sequence of its segment
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

    /** Notes what a line says that was read. */
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

    Collection<Place> places() {
        return places.values();
    }
}
