package io.mcpbridge.engine;

import io.mcpbridge.spi.ToolCatalog;
import io.mcpbridge.tool.ToolDefinition;
import java.util.List;

/** A catalog that takes every tool, and has each session list them before one is called. */
record StrictCatalog(ToolCatalog catalog) implements ToolCatalog {

    @Override
    public Snapshot snapshot() {
        return catalog.snapshot();
    }

    @Override
    public Change update(String server, List<ToolDefinition> listed) {
        return catalog.update(server, listed);
    }

    @Override
    public Change remove(String server) {
        return catalog.remove(server);
    }

    @Override
    public boolean isStrict() {
        return true;
    }

    @Override
    public void close() {
        catalog.close();
    }
}
