package io.mcpbridge.audit.record;

import io.mcpbridge.audit.redact.RedactionKey;
import io.mcpbridge.audit.redact.RedactionSettings;
import java.util.List;
import java.util.Map;
import java.util.Random;

/** Makes records whose hashes and ids are the same in each run. */
final class TestRecords {
    static final RedactionKey KEY = RedactionKey.of(new byte[32]);

    private TestRecords() {}

    static AuditRecords make() {
        return make(RecordSettings.DEFAULTS);
    }

    static AuditRecords at(RecordSettings.Level level) {
        return make(new RecordSettings(level, Map.of(), RedactionSettings.DEFAULTS));
    }

    /** With secrets that stand in the configuration. */
    static AuditRecords withSecrets(RecordSettings.Level level, List<String> secrets) {
        var settings = new RecordSettings(level, Map.of(), RedactionSettings.DEFAULTS);
        return new AuditRecords(settings, KEY, () -> secrets, new Random(1));
    }

    static AuditRecords make(RecordSettings settings) {
        return new AuditRecords(settings, KEY, List::of, new Random(1));
    }
}
