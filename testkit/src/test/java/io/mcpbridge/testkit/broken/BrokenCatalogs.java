package io.mcpbridge.testkit.broken;

import io.mcpbridge.spi.MemoryToolCatalog;
import io.mcpbridge.spi.ToolCatalog;
import io.mcpbridge.testkit.contract.ToolCatalogContract;
import io.mcpbridge.tool.ToolDefinition;
import java.util.List;
import org.junit.jupiter.api.extension.ExtendWith;

/** Tool catalogs with one broken promise each, under their contract. The build does not run them by themselves. */
final class BrokenCatalogs {

    private BrokenCatalogs() {}

    /** Never forgets the tools of a server. */
    @ExtendWith(OnlyWhenAsked.class)
    static final class KeepsRemovedServers extends ToolCatalogContract {
        @Override
        protected ToolCatalog create() {
            var whole = new MemoryToolCatalog();
            return new ToolCatalog() {
                @Override
                public Snapshot snapshot() {
                    return whole.snapshot();
                }

                @Override
                public Change update(String server, List<ToolDefinition> listed) {
                    return whole.update(server, listed);
                }

                @Override
                public Change remove(String server) {
                    return new Change(List.of(), List.of(), List.of(), 0);
                }

                @Override
                public void close() {
                    whole.close();
                }
            };
        }
    }
}
