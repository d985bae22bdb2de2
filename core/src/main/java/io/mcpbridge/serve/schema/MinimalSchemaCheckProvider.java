package io.mcpbridge.serve.schema;

import io.mcpbridge.internal.json.Json;
import io.mcpbridge.spi.SchemaCheck;
import io.mcpbridge.spi.SchemaCheckProvider;
import io.mcpbridge.spi.SchemaIssue;
import java.util.ArrayList;

/**
 * Provides {@code minimal}: checks types, members, elements, choices and sizes. Refuses references, patterns, conditions
 * and whatever else it does not check, rather than let it pass.
 */
public final class MinimalSchemaCheckProvider implements SchemaCheckProvider {

    @Override
    public String name() {
        return "minimal";
    }

    @Override
    public int spiVersion() {
        return SPI_VERSION;
    }

    @Override
    public SchemaCheck compile(String schemaJson) {
        var rule = SchemaCompiler.compile(Json.readPlain(schemaJson));
        return json -> {
            var issues = new ArrayList<SchemaIssue>();
            rule.check(Json.readPlain(json), "", issues);
            return issues;
        };
    }
}
