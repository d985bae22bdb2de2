package io.mcpbridge.audit.file;

import io.mcpbridge.call.Timekeeper;

/** What the parts of the sink share. */
record WriterParts(
        FileAuditSettings settings,
        Disk disk,
        RecordMaker records,
        SigningKey key,
        Timekeeper timekeeper,
        System.Logger logger,
        Troubles troubles) {}
