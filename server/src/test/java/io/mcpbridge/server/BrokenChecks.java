package io.mcpbridge.server;

import io.mcpbridge.spi.SchemaCheck;
import io.mcpbridge.spi.SchemaCheck.SchemaIssue;
import io.mcpbridge.spi.SchemaCheckProvider;
import java.util.List;

/** Makes checks that end in a defect, whatever they see. */
record BrokenChecks(Throwable defect) implements SchemaCheckProvider {

    @Override
    public Id id() {
        return new Id("broken", SPI_VERSION);
    }

    @Override
    public SchemaCheck compile(String schemaJson) {
        return json -> fail();
    }

    private List<SchemaIssue> fail() {
        if (defect instanceof Error error) {
            throw error;
        }
        throw (RuntimeException) defect;
    }
}
