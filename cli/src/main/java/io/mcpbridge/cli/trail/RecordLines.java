package io.mcpbridge.cli.trail;

import io.mcpbridge.audit.record.AuditLine;
import java.util.Optional;
import java.util.function.Function;

/** One line for each record, for programs. */
public final class RecordLines implements TrailForm {
    private final Function<AuditLine, String> form;

    private RecordLines(Function<AuditLine, String> form) {
        this.form = form;
    }

    /** The lines as they stand in the trail. */
    public static RecordLines asTheyAre() {
        return new RecordLines(AuditLine::json);
    }

    /** The lines in the form of others. */
    public static RecordLines as(Function<AuditLine, String> form) {
        return new RecordLines(form);
    }

    @Override
    public Optional<String> text(AuditLine record, TrailEntry entry) {
        return Optional.of(form.apply(record));
    }

    @Override
    public Optional<String> open(TrailEntry entry) {
        return Optional.empty();
    }
}
