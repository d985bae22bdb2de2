package io.mcpbridge.engine;

import io.mcpbridge.spi.AuditSink;
import io.mcpbridge.spi.AuditSinkProvider;
import io.mcpbridge.testkit.contract.AuditSinkContract;
import io.mcpbridge.testkit.contract.ProviderContract;
import org.junit.jupiter.api.Nested;

class NoopAuditSinkTest extends AuditSinkContract {

    @Override
    protected AuditSink open() {
        return new NoopAuditSink();
    }

    @Override
    protected String stored() {
        return "";
    }

    @Nested
    class ItsProvider extends ProviderContract<AuditSinkProvider> {
        @Override
        protected Class<AuditSinkProvider> service() {
            return AuditSinkProvider.class;
        }

        @Override
        protected Class<NoopAuditSink.Provider> implementation() {
            return NoopAuditSink.Provider.class;
        }

        @Override
        protected String name() {
            return "noop";
        }
    }
}
