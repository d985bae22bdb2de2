/** Approved tools and JSON Schema checks. */
module io.mcpbridge.catalog {
    requires com.fasterxml.jackson.databind;
    requires com.networknt.schema;
    requires transitive io.mcpbridge.core;
    requires static com.google.errorprone.annotations;
    requires static transitive org.jspecify;

    exports io.mcpbridge.catalog.check;
    exports io.mcpbridge.catalog.lock;
    exports io.mcpbridge.catalog.schema;

    provides io.mcpbridge.spi.CallStageProvider with
            io.mcpbridge.catalog.check.SchemaCheckStageProvider;
    provides io.mcpbridge.spi.SchemaCheckProvider with
            io.mcpbridge.catalog.schema.JsonSchemaCheckProvider;
    provides io.mcpbridge.spi.ToolCatalogProvider with
            io.mcpbridge.catalog.lock.PinnedToolCatalog.PinnedToolCatalogProvider;
}
