package io.mcpbridge.testkit.standard;

import io.mcpbridge.spi.AuditSink;
import io.mcpbridge.standard.NoopAuditSink;
import io.mcpbridge.testkit.contract.AuditSinkContract;

class NoopAuditSinkTest extends AuditSinkContract {

    @Override
    protected AuditSink open() {
        return new NoopAuditSink();
    }
}
