package io.mcpbridge.testkit.standard;

import io.mcpbridge.spi.AuditSink;
import io.mcpbridge.spi.NoopAuditSink;
import io.mcpbridge.testkit.contract.AuditSinkContract;

class NoopAuditSinkTest extends AuditSinkContract {

    @Override
    protected AuditSink open() {
        return new NoopAuditSink();
    }

    @Override
    protected String stored() {
        return "";
    }
}
