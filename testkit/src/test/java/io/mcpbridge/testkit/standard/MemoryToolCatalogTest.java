package io.mcpbridge.testkit.standard;

import io.mcpbridge.spi.MemoryToolCatalog;
import io.mcpbridge.spi.ToolCatalog;
import io.mcpbridge.testkit.contract.ToolCatalogContract;

class MemoryToolCatalogTest extends ToolCatalogContract {

    @Override
    protected ToolCatalog create() {
        return new MemoryToolCatalog();
    }
}
