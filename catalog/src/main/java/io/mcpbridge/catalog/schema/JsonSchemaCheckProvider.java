package io.mcpbridge.catalog.schema;

import static java.util.stream.Collectors.joining;

import com.networknt.schema.Error;
import com.networknt.schema.Schema;
import com.networknt.schema.SchemaLocation;
import com.networknt.schema.SchemaRegistry;
import com.networknt.schema.SchemaRegistryConfig;
import com.networknt.schema.SpecificationVersion;
import io.mcpbridge.failure.ConfigurationException;
import io.mcpbridge.spi.SchemaCheck;
import io.mcpbridge.spi.SchemaCheckProvider;
import io.mcpbridge.spi.SchemaIssue;
import java.util.List;
import java.util.Locale;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;

/**
 * Provides {@code json-schema}: checks everything that a JSON Schema can say, in the dialect that it names, else
 * 2020-12. Nothing is fetched: a reference that leads out of the schema is refused, as is a schema that its dialect
 * does not allow.
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
        try {
            var schema = read(schemaJson);
            return json -> issues(schema, json);
        } catch (ConfigurationException refused) {
            throw refused;
        } catch (RuntimeException unfit) {
            // The library and what it reads with each have exceptions of their own.
            throw ConfigurationException.of("the schema cannot be checked: " + unfit.getMessage());
        }
    }

    /** Follows all references at once, so that one that leads nowhere is told now and not by the first call. */
    private static Schema read(String schemaJson) {
        var node = ExactNumbers.MAPPER.readTree(schemaJson);
        refuse(ExactNumbers.issues(node));
        var schema = SchemaRegistry.withDefaultDialect(
                        SpecificationVersion.DRAFT_2020_12,
                        builder -> exact(builder).schemaLoader(loader -> loader.block(address -> true)))
                .getSchema(node);
        refuse(issues(dialect(schema), node));
        schema.initializeValidators();
        return schema;
    }

    /** The schema of schemas, which the library brings along. */
    private static Schema dialect(Schema schema) {
        var id = schema.getSchemaContext().getDialect().getId();
        return SchemaRegistry.withDefaultDialect(SpecificationVersion.DRAFT_2020_12, JsonSchemaCheckProvider::exact)
                .getSchema(SchemaLocation.of(id));
    }

    /** Issues are in English, whatever the language of the machine. */
    private static SchemaRegistry.Builder exact(SchemaRegistry.Builder builder) {
        return builder.nodeReader(reader -> reader.jsonMapper(ExactNumbers.MAPPER))
                .schemaRegistryConfig(
                        SchemaRegistryConfig.builder().locale(Locale.ROOT).build());
    }

    private static void refuse(List<SchemaIssue> mistakes) {
        if (!mistakes.isEmpty()) {
            throw ConfigurationException.of("the schema is none: "
                    + mistakes.stream().map(SchemaIssue::toString).collect(joining("; ")));
        }
    }

    private static List<SchemaIssue> issues(Schema schema, String json) {
        JsonNode value;
        try {
            value = ExactNumbers.MAPPER.readTree(json);
        } catch (JacksonException | NumberFormatException unreadable) {
            return List.of(new SchemaIssue("", "cannot be read: " + unreadable.getMessage()));
        }
        var unbounded = ExactNumbers.issues(value);
        return unbounded.isEmpty() ? issues(schema, value) : unbounded;
    }

    private static List<SchemaIssue> issues(Schema schema, JsonNode value) {
        return schema.validate(value).stream()
                .map(JsonSchemaCheckProvider::issue)
                .toList();
    }

    private static SchemaIssue issue(Error error) {
        return new SchemaIssue(error.getInstanceLocation().toString(), error.getMessage());
    }
}
