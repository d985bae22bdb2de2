/** Audit trails in files and databases, and their verification. */
@SuppressWarnings({"module", "requires-automatic"})
module io.mcpbridge.audit {
    requires com.fasterxml.jackson.core;
    requires transitive io.mcpbridge.core;
    requires io.mcpbridge.support;
    requires transitive java.sql;
    requires static com.google.errorprone.annotations;
    requires static io.opentelemetry.api;
    requires static io.opentelemetry.context;
    requires static transitive org.jspecify;

    exports io.mcpbridge.audit.file;
    exports io.mcpbridge.audit.jdbc;
    exports io.mcpbridge.audit.record;
    exports io.mcpbridge.audit.redact;
    exports io.mcpbridge.audit.verify;

    provides io.mcpbridge.spi.AuditSinkProvider with
            io.mcpbridge.audit.file.FileAuditSinkProvider,
            io.mcpbridge.audit.jdbc.JdbcAuditSinkProvider,
            io.mcpbridge.audit.otel.OtelAuditSinkProvider;
}
