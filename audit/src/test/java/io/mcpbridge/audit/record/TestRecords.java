package io.mcpbridge.audit.record;

import io.mcpbridge.audit.redact.RedactionKey;
import java.util.Random;

/** Makes records whose hashes and ids are the same in each run. */
final class TestRecords {
    static final RedactionKey KEY = RedactionKey.of(new byte[32]);

    private TestRecords() {}

    static AuditRecords make() {
        return make(RecordSettings.DEFAULTS);
    }

    static AuditRecords make(RecordSettings settings) {
        return new AuditRecords(settings, KEY, new Random(1));
    }
}
