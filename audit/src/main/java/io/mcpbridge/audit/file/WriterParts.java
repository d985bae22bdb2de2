package io.mcpbridge.audit.file;

import io.mcpbridge.audit.record.AuditRecords;
import io.mcpbridge.call.Timekeeper;
import io.mcpbridge.files.ProcessLock;

/** What the parts of the sink share. */
record WriterParts(
        FileAuditSettings settings,
        Disk disk,
        ProcessLock lock,
        AuditRecords records,
        SigningKey key,
        Timekeeper timekeeper,
        System.Logger logger,
        Troubles troubles) {}
