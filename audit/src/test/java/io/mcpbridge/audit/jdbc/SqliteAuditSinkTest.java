package io.mcpbridge.audit.jdbc;

import io.mcpbridge.spi.AuditSink;
import io.mcpbridge.testkit.contract.AuditSinkContract;
import java.nio.file.Path;
import org.junit.jupiter.api.io.TempDir;

class SqliteAuditSinkTest extends AuditSinkContract {

    @TempDir
    Path directory;

    @Override
    protected AuditSink open() {
        return TestTrails.inSqlite(directory).open();
    }
}
