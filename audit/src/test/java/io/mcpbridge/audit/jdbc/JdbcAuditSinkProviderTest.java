package io.mcpbridge.audit.jdbc;

import io.mcpbridge.spi.AuditSinkProvider;
import io.mcpbridge.testkit.contract.ProviderContract;

class JdbcAuditSinkProviderTest extends ProviderContract<AuditSinkProvider> {

    @Override
    protected Class<AuditSinkProvider> service() {
        return AuditSinkProvider.class;
    }

    @Override
    protected Class<JdbcAuditSinkProvider> implementation() {
        return JdbcAuditSinkProvider.class;
    }

    @Override
    protected String name() {
        return "jdbc";
    }
}
