package io.mcpbridge.catalog.schema;

import static java.util.stream.Collectors.joining;

import com.fasterxml.jackson.core.JacksonException;
import com.fasterxml.jackson.core.JsonPointer;
import com.fasterxml.jackson.databind.JsonNode;
import com.networknt.schema.Error;
import com.networknt.schema.Schema;
import com.networknt.schema.SchemaException;
import com.networknt.schema.SchemaLocation;
import com.networknt.schema.SchemaRegistry;
import com.networknt.schema.SchemaRegistryConfig;
import com.networknt.schema.SpecificationVersion;
import io.mcpbridge.catalog.schema.BudgetedCheck.BudgetExceededException;
import io.mcpbridge.failure.ConfigurationException;
import io.mcpbridge.message.JsonStrings;
import io.mcpbridge.spi.SchemaCheck;
import io.mcpbridge.spi.SchemaCheck.SchemaIssue;
import io.mcpbridge.spi.SchemaCheckProvider;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;
import java.util.stream.Stream;

/**
 * Provides {@code json-schema}: checks all of JSON Schema, in the dialect that the schema names, else in 2020-12. Loads
 * nothing: rejects a schema with a reference to another document, and one that its dialect does not allow. A schema and
 * each check by it have a budget.
 */
public final class JsonSchemaCheckProvider implements SchemaCheckProvider {
    private static final int MAX_SCHEMA_CHARACTERS = 1 << 20;

    private final BudgetedKeywords dialects = new BudgetedKeywords();
    private final Map<String, CompiledSchema> metaschemas = new ConcurrentHashMap<>();

    @Override
    public Id id() {
        return new Id("json-schema", SPI_VERSION);
    }

    @Override
    public SchemaCheck compile(String schemaJson) {
        try {
            return read(schemaJson);
        } catch (ConfigurationException invalid) {
            throw invalid;
        } catch (BudgetExceededException exceeded) {
            throw uncheckable(exceeded.reason());
        } catch (StackOverflowError tooDeep) {
            throw uncheckable("its references or patterns nest too deep");
        } catch (JacksonException | RuntimeException invalid) {
            // The library and its parsers each have exceptions of their own.
            throw uncheckable(FailureText.of(invalid));
        }
    }

    private SchemaCheck read(String schemaJson) throws JacksonException {
        if (schemaJson.length() > MAX_SCHEMA_CHARACTERS) {
            throw uncheckable(
                    "it has %,d characters but may have %,d".formatted(schemaJson.length(), MAX_SCHEMA_CHARACTERS));
        }
        var node = ExactJson.SCHEMAS.readTree(schemaJson);
        reject(ExactJson.issues(node));
        var registry = registry();
        var metaschema = metaschema(registry.getSchema(dialectOnly(node)));
        reject(InvalidSchemaIssues.of(node, metaschema.issues(node, BudgetedCheck.METASCHEMA_VISITS)));
        return compile(registry, node);
    }

    /** Follows all references now, so that a reference to nothing fails here and not in the first call. */
    private SchemaCheck compile(SchemaRegistry registry, JsonNode node) {
        try {
            var schema = registry.getSchema(node);
            schema.initializeValidators();
            return new CompiledSchema(schema);
        } catch (SchemaException | PatternSyntaxException invalid) {
            var issue = InvalidSchemaIssues.ofPattern(node, invalid).map(SchemaIssue::toString);
            throw uncheckable(issue.orElseGet(() -> FailureText.of(invalid)));
        }
    }

    private SchemaRegistry registry() {
        return SchemaRegistry.withDefaultDialect(
                SpecificationVersion.DRAFT_2020_12,
                builder -> configure(builder).schemaLoader(loader -> loader.block(address -> true)));
    }

    /** A schema with nothing but the dialect: it finds the metaschema before the schema itself is compiled. */
    private static JsonNode dialectOnly(JsonNode schema) {
        var only = ExactJson.MAPPER.createObjectNode();
        var dialect = schema.get("$schema");
        return dialect == null ? only : only.set("$schema", dialect);
    }

    /** The library contains the few metaschemas; each is compiled once. */
    private CompiledSchema metaschema(Schema schema) {
        return metaschemas.computeIfAbsent(
                schema.getSchemaContext().getDialect().getId(), id -> {
                    var metaschema = SchemaRegistry.withDefaultDialect(
                                    SpecificationVersion.DRAFT_2020_12, this::configure)
                            .getSchema(SchemaLocation.of(id));
                    metaschema.initializeValidators();
                    return new CompiledSchema(metaschema);
                });
    }

    private SchemaRegistry.Builder configure(SchemaRegistry.Builder builder) {
        return builder.dialectRegistry(dialects)
                .nodeReader(reader -> reader.jsonMapper(ExactJson.MAPPER))
                .schemaRegistryConfig(SchemaRegistryConfig.builder()
                        .regularExpressionFactory(BudgetedPattern::compile)
                        .build());
    }

    private static void reject(List<SchemaIssue> issues) {
        if (!issues.isEmpty()) {
            throw ConfigurationException.of("the schema is invalid: "
                    + issues.stream().map(SchemaIssue::toString).collect(joining("; ")));
        }
    }

    private static ConfigurationException uncheckable(String why) {
        return ConfigurationException.of("the schema cannot be checked: " + why);
    }

    /**
     * One schema that is ready for checks. A value whose check exceeds the budget does not fit. Any thread.
     */
    private record CompiledSchema(Schema schema) implements SchemaCheck {
        /** Messages quote rules, which can be long; the issues beyond these have a short message. */
        private static final int MAX_FULL_MESSAGES = 100;

        @Override
        public List<SchemaIssue> issues(String json) {
            JsonNode value;
            try {
                value = ExactJson.VALUES.readTree(json);
            } catch (JacksonException | NumberFormatException unreadable) {
                return List.of(new SchemaIssue("", "cannot be read: " + FailureText.of(unreadable)));
            }
            var outOfBounds = ExactJson.issues(value);
            return outOfBounds.isEmpty() ? issues(value) : outOfBounds;
        }

        private List<SchemaIssue> issues(JsonNode value) {
            try {
                return issues(value, BudgetedCheck.VISITS);
            } catch (BudgetExceededException exceeded) {
                return tooCostly(exceeded.reason());
            } catch (StackOverflowError tooDeep) {
                return tooCostly("its keywords or patterns nest too deep");
            } catch (OutOfMemoryError full) {
                return tooCostly("the memory does not suffice");
            } catch (RuntimeException failed) {
                // The library and its parsers each have exceptions of their own.
                return List.of(new SchemaIssue("", "cannot be checked: " + FailureText.of(failed)));
            }
        }

        private static List<SchemaIssue> tooCostly(String why) {
            return List.of(new SchemaIssue("", "cannot be checked, since the schema costs too much: " + why));
        }

        /**
         * Checks a value within a budget.
         *
         * @throws BudgetExceededException if that does not suffice
         */
        List<SchemaIssue> issues(JsonNode value, long budget) {
            var errors = new BudgetedCheck(budget).run(schema, value);
            if (errors.isEmpty()) {
                return List.of();
            }
            var first = errors.stream().limit(MAX_FULL_MESSAGES).map(CompiledSchema::issue);
            var rest = errors.stream().skip(MAX_FULL_MESSAGES).map(CompiledSchema::shortIssue);
            return Stream.concat(first, rest).toList();
        }

        private static SchemaIssue issue(Error error) {
            return new SchemaIssue(error.getInstanceLocation().toString(), message(error));
        }

        /** The library does not quote an array or an object that is the constant. */
        private static String message(Error error) {
            var rule = error.getSchemaNode();
            return error.getKeyword().equals("const") && rule != null && rule.isContainerNode()
                    ? "must be the constant value '%s'".formatted(rule)
                    : error.getMessage();
        }

        private static SchemaIssue shortIssue(Error error) {
            return new SchemaIssue(error.getInstanceLocation().toString(), "breaks '%s'".formatted(error.getKeyword()));
        }
    }

    /** The reason why a schema or a check failed, without the names of classes. Pure. */
    static final class FailureText {
        private static final String UNKNOWN = "no reason is known";

        /** The class names in the message of an exception that quotes its cause. */
        private static final Pattern CLASS = Pattern.compile("(?:[a-z]\\w*\\.)+[A-Z][\\w$]*(?::\\s*|$)");

        private FailureText() {}

        /** The reason of a budget or a pattern among the causes, else the message of the exception itself. */
        static String of(Throwable thrown) {
            for (var cause = thrown; cause != null; cause = cause.getCause()) {
                if (cause instanceof BudgetExceededException exceeded) {
                    return exceeded.reason();
                }
                if (cause instanceof PatternSyntaxException refused) {
                    return "the pattern '%s' cannot be read: %s"
                            .formatted(refused.getPattern(), refused.getDescription());
                }
            }
            if (thrown instanceof JacksonException broken && broken.getLocation() != null) {
                var place = broken.getLocation();
                return "line %d, column %d: %s"
                        .formatted(place.getLineNr(), place.getColumnNr(), broken.getOriginalMessage());
            }
            var message = thrown.getMessage();
            var plain =
                    message == null ? "" : CLASS.matcher(message).replaceAll("").strip();
            return plain.isEmpty() ? UNKNOWN : plain;
        }
    }

    /**
     * Describes what is wrong with a schema for its author: the place, the value there, and the rule it breaks. Pure.
     */
    private static final class InvalidSchemaIssues {
        private static final int MAX_VALUE_CHARACTERS = 100;

        /** The message of metaschemas about an unknown type. */
        private static final String TYPES =
                "[\"array\", \"boolean\", \"integer\", \"null\", \"number\", \"object\", \"string\"]";

        /** The message of some metaschemas about an invalid pattern. */
        private static final String NO_PATTERN = "must be a valid ECMA-262 regular expression";

        private static final String PATTERN_RULE = "must be a regular expression that can be read";

        private static final Pattern WRONG_TYPE = Pattern.compile("\\w+ found, (.*) expected");

        private InvalidSchemaIssues() {}

        /** The issues that the check against a metaschema found, one for each place. */
        static List<SchemaIssue> of(JsonNode schema, List<SchemaIssue> found) {
            var byPlace = new LinkedHashMap<String, List<String>>();
            found.forEach(issue -> byPlace.computeIfAbsent(issue.path(), place -> new ArrayList<>())
                    .add(issue.message()));
            var issues = new ArrayList<SchemaIssue>();
            byPlace.forEach((place, messages) -> {
                var isOfType = messages.stream().anyMatch(InvalidSchemaIssues::isOfType);
                // In a list of types, only the unknown one is an issue, and not the list.
                if (!isOfType || byPlace.keySet().stream().noneMatch(other -> other.startsWith(place + "/"))) {
                    issues.add(new SchemaIssue(place, message(schema.at(place), isOfType, messages)));
                }
            });
            return issues;
        }

        private static boolean isOfType(String message) {
            return message.contains(TYPES);
        }

        private static String message(JsonNode value, boolean isOfType, List<String> messages) {
            if (isOfType && !value.isArray()) {
                return "is %s but must be one of %s".formatted(cut(value.toString()), TYPES);
            }
            var rules = messages.stream()
                    .filter(message -> !isOfType(message))
                    .map(InvalidSchemaIssues::rule)
                    .distinct()
                    .collect(joining("; "));
            return rules.startsWith("must ")
                    ? "is %s but %s".formatted(cut(value.toString()), rules)
                    : "is %s: %s".formatted(cut(value.toString()), rules);
        }

        private static String rule(String message) {
            if (message.endsWith(NO_PATTERN)) {
                return PATTERN_RULE;
            }
            var wrongType = WRONG_TYPE.matcher(message);
            return wrongType.matches() ? "must be of type " + wrongType.group(1) : message;
        }

        /** The issue about the pattern that an exception names; empty if it names none. */
        static Optional<SchemaIssue> ofPattern(JsonNode schema, Throwable thrown) {
            for (var cause = thrown; cause != null; cause = cause.getCause()) {
                if (cause instanceof PatternSyntaxException refused) {
                    var message = "is %s but %s: %s"
                            .formatted(
                                    cut(JsonStrings.quote(refused.getPattern())),
                                    PATTERN_RULE,
                                    refused.getDescription());
                    var place = place(schema, JsonPointer.empty(), refused.getPattern());
                    return Optional.of(new SchemaIssue(place.orElse(""), message));
                }
            }
            return Optional.empty();
        }

        /** The first place of the pattern. */
        private static Optional<String> place(JsonNode schema, JsonPointer here, String pattern) {
            if (schema.isArray()) {
                for (int i = 0; i < schema.size(); i++) {
                    var found = place(schema.get(i), here.appendIndex(i), pattern);
                    if (found.isPresent()) {
                        return found;
                    }
                }
            }
            for (var member : schema.properties()) {
                var there = here.appendProperty(member.getKey());
                var isIt = member.getKey().equals("pattern")
                        ? isText(member.getValue(), pattern)
                        : member.getKey().equals(pattern) && here.toString().endsWith("/patternProperties");
                var found = isIt ? Optional.of(there.toString()) : place(member.getValue(), there, pattern);
                if (found.isPresent()) {
                    return found;
                }
            }
            return Optional.empty();
        }

        private static boolean isText(JsonNode value, String text) {
            return value.isTextual() && value.textValue().equals(text);
        }

        private static String cut(String raw) {
            return raw.length() <= MAX_VALUE_CHARACTERS ? raw : raw.substring(0, MAX_VALUE_CHARACTERS) + "…";
        }
    }
}
