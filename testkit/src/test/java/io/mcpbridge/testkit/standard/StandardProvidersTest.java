package io.mcpbridge.testkit.standard;

import io.mcpbridge.spi.MemoryToolCatalog;
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
}
