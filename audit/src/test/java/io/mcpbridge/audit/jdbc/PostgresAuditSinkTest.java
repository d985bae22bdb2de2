package io.mcpbridge.audit.jdbc;

import io.mcpbridge.audit.database.SharedPostgres;
import io.mcpbridge.spi.AuditSink;
import io.mcpbridge.testkit.contract.AuditSinkContract;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(SharedPostgres.class)
class PostgresAuditSinkTest extends AuditSinkContract {

    private TestTrails trail = TestTrails.inPostgres();

    @Override
    protected AuditSink open() {
        trail = TestTrails.inPostgres();
        return trail.open();
    }

    @Override
    protected String stored() throws Exception {
        return trail.stored();
    }
}
