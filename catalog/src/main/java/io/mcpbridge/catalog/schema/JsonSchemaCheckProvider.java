package io.mcpbridge.catalog.schema;

import com.networknt.schema.Error;
import com.networknt.schema.InputFormat;
import com.networknt.schema.Schema;
import com.networknt.schema.SchemaRegistry;
import com.networknt.schema.SpecificationVersion;
import io.mcpbridge.failure.ConfigurationException;
import io.mcpbridge.spi.SchemaCheck;
import io.mcpbridge.spi.SchemaCheckProvider;
import io.mcpbridge.spi.SchemaIssue;

/**
 * Provides {@code json-schema}: checks everything that a JSON Schema can say, in the dialect that it names, else
 * 2020-12. Nothing is fetched: a reference that leads out of the schema is refused.
 */
public final class JsonSchemaCheckProvider implements SchemaCheckProvider {

    @Override
    public String name() {
        return "json-schema";
    }

    @Override
    public int spiVersion() {
        return SPI_VERSION;
    }

    @Override
    public SchemaCheck compile(String schemaJson) {
        var schema = read(schemaJson);
        return json -> schema.validate(json, InputFormat.JSON).stream()
                .map(JsonSchemaCheckProvider::issue)
                .toList();
    }

    /** Follows all references at once, so that one that leads nowhere is told now and not by the first call. */
    private static Schema read(String schemaJson) {
        var registry = SchemaRegistry.withDefaultDialect(
                SpecificationVersion.DRAFT_2020_12,
                builder -> builder.schemaLoader(loader -> loader.block(address -> true)));
        try {
            var schema = registry.getSchema(schemaJson, InputFormat.JSON);
            schema.initializeValidators();
            return schema;
        } catch (RuntimeException unfit) {
            // The library and what it reads with each have exceptions of their own.
            throw ConfigurationException.of("the schema cannot be checked: " + unfit.getMessage());
        }
    }

    private static SchemaIssue issue(Error error) {
        return new SchemaIssue(error.getInstanceLocation().toString(), error.getMessage());
    }
}
