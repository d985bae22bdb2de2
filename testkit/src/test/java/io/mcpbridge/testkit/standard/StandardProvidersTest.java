package io.mcpbridge.testkit.standard;

import io.mcpbridge.spi.AuditSinkProvider;
import io.mcpbridge.spi.MemoryToolCatalog;
import io.mcpbridge.spi.NoRetriesProvider;
import io.mcpbridge.spi.NoopAuditSink;
import io.mcpbridge.spi.RetryPolicyProvider;
import io.mcpbridge.spi.ToolCatalogProvider;
import io.mcpbridge.testkit.contract.ProviderContract;
import org.junit.jupiter.api.Nested;

class StandardProvidersTest {

    @Nested
    class Memory extends ProviderContract<ToolCatalogProvider> {
        @Override
        protected Class<ToolCatalogProvider> service() {
            return ToolCatalogProvider.class;
        }

        @Override
        protected Class<MemoryToolCatalog.Provider> implementation() {
            return MemoryToolCatalog.Provider.class;
        }

        @Override
        protected String name() {
            return "memory";
        }
    }

    @Nested
    class None extends ProviderContract<RetryPolicyProvider> {
        @Override
        protected Class<RetryPolicyProvider> service() {
            return RetryPolicyProvider.class;
        }

        @Override
        protected Class<NoRetriesProvider> implementation() {
            return NoRetriesProvider.class;
        }

        @Override
        protected String name() {
            return "none";
        }
    }

    @Nested
    class Noop extends ProviderContract<AuditSinkProvider> {
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
