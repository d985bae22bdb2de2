package io.mcpbridge.catalog.schema;

import static java.util.stream.Collectors.joining;

import com.networknt.schema.Schema;
import com.networknt.schema.SchemaException;
import com.networknt.schema.SchemaLocation;
import com.networknt.schema.SchemaRegistry;
import com.networknt.schema.SchemaRegistryConfig;
import com.networknt.schema.SpecificationVersion;
import com.networknt.schema.ValidationLimitExceededException;
import io.mcpbridge.failure.ConfigurationException;
import io.mcpbridge.spi.SchemaCheck;
import io.mcpbridge.spi.SchemaCheckProvider;
import io.mcpbridge.spi.SchemaIssue;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.PatternSyntaxException;
import tools.jackson.databind.JsonNode;

/**
 * Provides {@code json-schema}: checks everything that a JSON Schema can say, in the dialect that it names, else
 * 2020-12. Nothing is fetched: a reference that leads out of the schema is refused, as is a schema that its dialect
 * does not allow. What a schema may cost is bounded, by whomever it was written.
 */
public final class JsonSchemaCheckProvider implements SchemaCheckProvider {
    private final Allowances allowances = new Allowances();
    private final ChargedDialects keywords = new ChargedDialects(allowances);
    private final Map<String, CompiledSchema> dialects = new ConcurrentHashMap<>();

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
            return read(schemaJson);
        } catch (ConfigurationException refused) {
            throw refused;
        } catch (ValidationLimitExceededException limit) {
            throw uncheckable(Budgets.exceeded(limit).words());
        } catch (TooCostlyException limit) {
            throw uncheckable(limit.words());
        } catch (StackOverflowError tooDeep) {
            throw uncheckable("its references or patterns lie too deep within each other");
        } catch (RuntimeException unfit) {
            // The library and what it reads with each have exceptions of their own.
            throw uncheckable(Reasons.of(unfit));
        }
    }

    private static ConfigurationException uncheckable(String why) {
        return ConfigurationException.of("the schema cannot be checked: " + why);
    }

    /** Follows all references at once, so that one that leads nowhere is told now and not by the first call. */
    private SchemaCheck read(String schemaJson) {
        if (schemaJson.length() > Budgets.SCHEMA_CHARACTERS) {
            throw uncheckable(
                    "it has %,d characters but may have %,d".formatted(schemaJson.length(), Budgets.SCHEMA_CHARACTERS));
        }
        var node = ExactNumbers.schemaReader().readTree(schemaJson);
        refuse(ExactNumbers.issues(node));
        var registry = registry();
        refuse(SchemaMistakes.told(
                node, dialect(registry.getSchema(named(node))).issuesOrLimit(node)));
        return compiled(registry, node);
    }

    private SchemaCheck compiled(SchemaRegistry registry, JsonNode node) {
        try {
            var schema = registry.getSchema(node);
            schema.initializeValidators();
            return new CompiledSchema(schema, allowances);
        } catch (SchemaException | PatternSyntaxException refused) {
            var mistake = SchemaMistakes.ofPattern(node, refused).map(SchemaIssue::toString);
            throw uncheckable(mistake.orElseGet(() -> Reasons.of(refused)));
        }
    }

    private SchemaRegistry registry() {
        return SchemaRegistry.withDefaultDialect(
                SpecificationVersion.DRAFT_2020_12,
                builder -> bounded(builder, new BoundedPatterns(allowances), Budgets.STEPS)
                        .schemaLoader(loader -> loader.block(address -> true)));
    }

    /** A schema that says nothing but its dialect, so that what the dialect does not allow is told before it is compiled. */
    private static JsonNode named(JsonNode schema) {
        var named = ExactNumbers.MAPPER.createObjectNode();
        var dialect = schema.get("$schema");
        return dialect == null ? named : named.set("$schema", dialect);
    }

    /** The schema of schemas, which the library brings along; there are few, and each is compiled once. */
    private CompiledSchema dialect(Schema schema) {
        return dialects.computeIfAbsent(schema.getSchemaContext().getDialect().getId(), this::newDialect);
    }

    private CompiledSchema newDialect(String id) {
        var patterns = new BoundedPatterns(allowances);
        var schema = SchemaRegistry.withDefaultDialect(
                        SpecificationVersion.DRAFT_2020_12, builder -> bounded(builder, patterns, Budgets.SCHEMA_STEPS))
                .getSchema(SchemaLocation.of(id));
        schema.initializeValidators();
        return new CompiledSchema(schema, allowances);
    }

    /** Issues are in English, whatever the language of the machine. */
    private SchemaRegistry.Builder bounded(SchemaRegistry.Builder builder, BoundedPatterns patterns, long steps) {
        var limits = Budgets.limiting(steps);
        return builder.dialectRegistry(keywords)
                .nodeReader(reader -> reader.jsonMapper(ExactNumbers.MAPPER))
                .schemaRegistryConfig(SchemaRegistryConfig.builder()
                        .locale(Locale.ROOT)
                        .regularExpressionFactory(patterns)
                        .executionContextCustomizer((execution, context) -> execution.setExecutionConfig(limits))
                        .build());
    }

    private static void refuse(List<SchemaIssue> mistakes) {
        if (!mistakes.isEmpty()) {
            throw ConfigurationException.of("the schema is none: "
                    + mistakes.stream().map(SchemaIssue::toString).collect(joining("; ")));
        }
    }
}
