package io.mcpbridge.audit.jdbc;

import io.mcpbridge.audit.database.SharedPostgres;
import io.mcpbridge.spi.AuditSink;
import io.mcpbridge.testkit.contract.AuditSinkContract;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(SharedPostgres.class)
class PostgresAuditSinkTest extends AuditSinkContract {

    @Override
    protected AuditSink open() {
        return TestTrails.inPostgres().open();
    }
}
