package io.mcpbridge.audit.mirror;

import io.mcpbridge.audit.otel.OtelAuditSinkProvider;
import io.mcpbridge.audit.record.AuditRecords;
import io.mcpbridge.spi.AuditSink;
import io.mcpbridge.spi.Environment;
import io.mcpbridge.spi.Settings;
import java.util.Set;

/** What the key {@code mirror} of an {@code audit} section asks for beside the sink itself. */
public final class Mirror {
    private static final String OTEL = "otel";
    private static final Set<String> SHARED = Set.of("level", "levels", "redact");

    private final Settings audit;
    private final boolean isAsked;

    private Mirror(Settings audit, boolean isAsked) {
        this.audit = audit;
        this.isAsked = isAsked;
    }

    /** Reads the key; a mistake is noted in the section, which the sink finishes. */
    public static Mirror of(Settings audit) {
        var name = audit.text("mirror");
        if (name.isPresent() && !name.get().equals(OTEL)) {
            audit.reject("mirror", "'otel', or left out");
        }
        return new Mirror(audit, name.isPresent());
    }

    /**
     * The sink, with its mirror where one is asked for; both are closed together.
     *
     * @param records what the sink makes its records with
     */
    public AuditSink beside(AuditSink first, AuditRecords records, Environment environment) {
        if (!isAsked) {
            return first;
        }
        try {
            var mirror = OtelAuditSinkProvider.mirror(audit.only(SHARED), records, environment);
            return new MirroredAuditSink(first, mirror, environment.logger());
        } catch (RuntimeException failed) {
            first.close();
            throw failed;
        }
    }
}
