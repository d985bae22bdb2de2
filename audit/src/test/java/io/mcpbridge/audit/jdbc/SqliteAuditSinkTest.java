package io.mcpbridge.audit.jdbc;

import io.mcpbridge.spi.AuditSink;
import io.mcpbridge.testkit.contract.AuditSinkContract;
import java.nio.file.Path;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.io.TempDir;

class SqliteAuditSinkTest extends AuditSinkContract {

    @TempDir
    Path directory;

    private @Nullable TestTrails trail;

    @Override
    protected AuditSink open() {
        trail = TestTrails.inSqlite(directory);
        return trail.open();
    }

    @Override
    protected String stored() throws Exception {
        return Objects.requireNonNull(trail).stored();
    }
}
