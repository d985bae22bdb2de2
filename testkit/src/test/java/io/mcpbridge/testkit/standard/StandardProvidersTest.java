package io.mcpbridge.testkit.standard;

import io.mcpbridge.spi.AuditSinkProvider;
import io.mcpbridge.spi.RetryPolicyProvider;
import io.mcpbridge.spi.ToolCatalogProvider;
import io.mcpbridge.standard.MemoryToolCatalogProvider;
import io.mcpbridge.standard.NoRetriesProvider;
import io.mcpbridge.standard.NoopAuditSinkProvider;
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
        protected Class<MemoryToolCatalogProvider> implementation() {
            return MemoryToolCatalogProvider.class;
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
        protected Class<NoopAuditSinkProvider> implementation() {
            return NoopAuditSinkProvider.class;
        }

        @Override
        protected String name() {
            return "noop";
        }
    }
}
