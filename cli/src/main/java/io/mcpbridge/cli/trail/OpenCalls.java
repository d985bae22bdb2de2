package io.mcpbridge.cli.trail;

import io.mcpbridge.audit.record.AuditLine;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Brings the records of a call together. Of very many calls that are open at once, the oldest are forgotten: their ends
 * are shown without their beginnings then.
 */
final class OpenCalls {
    private static final int MOST = 16_384;

    private final Map<String, Beginning> beginnings = new LinkedHashMap<>() {
        private static final long serialVersionUID = 1;

        @Override
        protected boolean removeEldestEntry(Map.Entry<String, Beginning> eldest) {
            return size() > MOST;
        }
    };

    /** What the record tells together with its enter, if that came before. */
    TrailEntry take(AuditLine record) {
        return switch (record.type()) {
            case ENTER -> {
                var begun = Beginning.of(record);
                beginnings.put(begun.call(), begun);
                yield TrailEntry.open(begun);
            }
            case EXIT -> {
                var begun = beginnings.remove(id(record));
                yield begun == null ? TrailEntry.endedAlone(record) : TrailEntry.ended(record, begun);
            }
            case DENIED -> TrailEntry.denied(record);
            case NOTE -> TrailEntry.note(record);
        };
    }

    /** Forgets a call that is of no interest. */
    void forget(AuditLine enter) {
        beginnings.remove(id(enter));
    }

    boolean isEmpty() {
        return beginnings.isEmpty();
    }

    private static String id(AuditLine record) {
        return record.text("correlationId").orElse("");
    }

    /** The calls whose end has not come. */
    List<TrailEntry> open() {
        return beginnings.values().stream().map(TrailEntry::open).toList();
    }
}
