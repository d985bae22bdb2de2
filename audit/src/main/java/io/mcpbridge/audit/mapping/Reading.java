package io.mcpbridge.audit.mapping;

import io.mcpbridge.audit.record.AuditLine;
import io.mcpbridge.audit.record.RecordType;
import io.mcpbridge.call.TraceParent;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/** What several mappings read of a record. */
record Reading(AuditLine line) {

    /** Whether a call ended well, or asks for more; empty where the record does not say. */
    Optional<Boolean> succeeded() {
        return switch (line.type()) {
            case EXIT -> line.text("outcome").map(each -> each.equals("ok") || each.equals("input-required"));
            case DENIED -> Optional.of(false);
            case ENTER, NOTE -> Optional.empty();
        };
    }

    boolean isNote() {
        return line.type() == RecordType.NOTE;
    }

    /** The name of who called. */
    Optional<String> principal() {
        return inner("principal", "name");
    }

    /** What is said about the end: the error or the reason why the call was turned away. */
    Optional<String> words() {
        return line.text("error").or(() -> line.text("reason"));
    }

    /** A part of the trace that the call belongs to. */
    Optional<String> trace(Function<TraceParent, String> part) {
        return Optional.of(line.trace()).filter(TraceParent::isPresent).map(part);
    }

    private Optional<String> inner(String key, String member) {
        return line.data().get(key) instanceof Map<?, ?> map && map.get(member) instanceof String text
                ? Optional.of(text)
                : Optional.empty();
    }
}
