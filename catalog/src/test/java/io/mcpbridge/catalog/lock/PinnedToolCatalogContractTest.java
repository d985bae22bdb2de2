package io.mcpbridge.catalog.lock;

import io.mcpbridge.catalog.lock.PinnedToolCatalog.PinnedToolCatalogProvider;
import io.mcpbridge.spi.ToolCatalog;
import io.mcpbridge.spi.ToolCatalogProvider;
import io.mcpbridge.testkit.contract.ProviderContract;
import io.mcpbridge.testkit.contract.ToolCatalogContract;
import java.nio.file.Path;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.io.TempDir;

class PinnedToolCatalogContractTest {

    @Nested
    class Warning extends ToolCatalogContract {
        @TempDir
        private Path folder;

        @Override
        protected ToolCatalog create() {
            return PinnedToolCatalog.open(new LockSettings(folder.resolve("mcp.lock"), LockMode.WARN));
        }
    }

    @Nested
    class Provider extends ProviderContract<ToolCatalogProvider> {
        @Override
        protected Class<ToolCatalogProvider> service() {
            return ToolCatalogProvider.class;
        }

        @Override
        protected Class<PinnedToolCatalogProvider> implementation() {
            return PinnedToolCatalogProvider.class;
        }

        @Override
        protected String name() {
            return "pinned";
        }
    }
}
