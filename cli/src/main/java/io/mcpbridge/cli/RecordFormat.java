package io.mcpbridge.cli;

import io.mcpbridge.audit.mapping.EcsMapping;
import io.mcpbridge.audit.mapping.OcsfMapping;
import io.mcpbridge.audit.record.AuditLine;

/** In which form records are printed for programs. */
enum RecordFormat {
    /** As they stand in the trail. */
    NATIVE,
    /** As API Activity of the Open Cybersecurity Schema Framework. */
    OCSF,
    /** As events of the Elastic Common Schema. */
    ECS;

    String text(AuditLine record) {
        return switch (this) {
            case NATIVE -> record.json();
            case OCSF -> OcsfMapping.json(record);
            case ECS -> EcsMapping.json(record);
        };
    }
}
