package io.mcpbridge.cli;

import io.mcpbridge.audit.mapping.EcsMapping;
import io.mcpbridge.audit.mapping.OcsfMapping;
import io.mcpbridge.audit.record.AuditLine;
import java.util.function.Function;

/** In which form records are printed for programs. */
enum RecordFormat {
    /** As they stand in the trail. */
    NATIVE(AuditLine::json),
    /** As API Activity of the Open Cybersecurity Schema Framework. */
    OCSF(OcsfMapping::json),
    /** As events of the Elastic Common Schema. */
    ECS(EcsMapping::json);

    private final Function<AuditLine, String> form;

    RecordFormat(Function<AuditLine, String> form) {
        this.form = form;
    }

    String text(AuditLine record) {
        return form.apply(record);
    }
}
