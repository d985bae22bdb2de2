package io.mcpbridge.catalog.schema;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.DecimalNode;
import com.networknt.schema.ExecutionContext;
import com.networknt.schema.Schema;
import com.networknt.schema.SchemaContext;
import com.networknt.schema.SchemaLocation;
import com.networknt.schema.SchemaRegistry;
import com.networknt.schema.dialect.DefaultDialectRegistry;
import com.networknt.schema.dialect.Dialect;
import com.networknt.schema.dialect.DialectRegistry;
import com.networknt.schema.format.Format;
import com.networknt.schema.keyword.FormatKeyword;
import com.networknt.schema.keyword.Keyword;
import com.networknt.schema.keyword.KeywordValidator;
import com.networknt.schema.path.NodePath;
import io.mcpbridge.catalog.schema.BudgetedCheck.BudgetExceededException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * The dialects of JSON Schema with keywords that charge the {@link BudgetedCheck} for the values they are about to look
 * at. A keyword that passes a value on to other keywords, as {@code allOf} does, leaves the charge to them. Any thread.
 */
final class BudgetedKeywords implements DialectRegistry {
    /** The largest count of values in an {@code enum}. */
    private static final int MAX_CHOICES = 10_000;

    /** The library finds these by their classes; the check counts each use of them. */
    private static final Set<String> REFERENCES = Set.of("$ref", "$dynamicRef", "$recursiveRef");

    private static final String FORMAT = "format";
    private static final String MULTIPLE_OF = "multipleOf";

    private final DialectRegistry library = new DefaultDialectRegistry();
    private final Map<Dialect, Dialect> budgeted = new ConcurrentHashMap<>();

    @Override
    public Dialect getDialect(String id, SchemaRegistry registry) {
        return budgeted.computeIfAbsent(library.getDialect(id, registry), BudgetedKeywords::budgeted);
    }

    private static Dialect budgeted(Dialect dialect) {
        return Dialect.builder(dialect)
                .keywords(all -> dialect.getKeywords().forEach((name, keyword) -> {
                    if (!REFERENCES.contains(name) && !name.equals(FORMAT)) {
                        all.put(name, new BudgetedKeyword(keyword));
                    }
                }))
                .formatKeywordFactory(BudgetedFormat::new)
                .build();
    }

    private record BudgetedKeyword(Keyword keyword) implements Keyword {
        @Override
        public String getValue() {
            return keyword.getValue();
        }

        /** Bounds an {@code enum}, since the library compares each two of its values that share a hash. */
        @Override
        public @Nullable KeywordValidator newValidator(
                SchemaLocation location, JsonNode rule, Schema parent, SchemaContext context) throws Exception {
            if (getValue().equals("enum") && rule.size() > MAX_CHOICES) {
                throw new BudgetExceededException(
                        "an 'enum' has %,d values but may have %,d".formatted(rule.size(), MAX_CHOICES));
            }
            var given = getValue().equals(MULTIPLE_OF) ? exact(rule) : rule;
            var validator = keyword.newValidator(location, given, parent, context);
            return validator == null ? null : new BudgetedValidator(validator, rule);
        }
    }

    /** The library divides exactly where both numbers are decimal ones. */
    private static JsonNode exact(JsonNode value) {
        return value.isNumber() ? DecimalNode.valueOf(value.decimalValue()) : value;
    }

    /** The library finds the keyword {@code format} by its class. */
    private static final class BudgetedFormat extends FormatKeyword {
        private BudgetedFormat(Map<String, Format> formats) {
            super(formats);
        }

        @Override
        public KeywordValidator newValidator(
                SchemaLocation location, JsonNode rule, Schema parent, SchemaContext context) {
            return new BudgetedValidator(super.newValidator(location, rule, parent, context), rule);
        }
    }

    /**
     * One keyword in one schema.
     *
     * @param rule what the schema says
     */
    private record BudgetedValidator(KeywordValidator validator, JsonNode rule) implements KeywordValidator {
        /** The cost of a format grows with the square of the length; a text of this length costs its length again. */
        private static final long FORMAT_LENGTH = 256;

        private static final long VISITS_PER_CANONICAL_TEXT = 32;
        private static final long VISITS_PER_ANNOTATION = 8;

        @Override
        public void validate(ExecutionContext execution, JsonNode value, JsonNode root, NodePath place) {
            var check = (BudgetedCheck) execution;
            check.visit(BudgetedCheck.size(rule));
            var looked = value;
            switch (getKeyword()) {
                case "uniqueItems" -> looked = equalElements(value, check);
                case MULTIPLE_OF -> looked = exact(value);
                case "enum", "const" -> {
                    check.visitAll(rule);
                    check.visitAll(value);
                }
                case "patternProperties" -> check.visit(BudgetedCheck.size(rule) * BudgetedCheck.size(value));
                case "unevaluatedProperties", "unevaluatedItems" ->
                    check.visit(BudgetedCheck.size(value) + sizeOfAnnotations(check, place));
                case "dependentRequired", "dependencies" ->
                    check.visit(BudgetedCheck.size(value) + sizeOfDependencies(value));
                case FORMAT -> check.visit(sizeForFormat(value));
                case "contentMediaType", "contentEncoding" ->
                    check.visit(value.isTextual() ? 1L + value.textValue().length() : 1);
                case "minLength", "maxLength" -> check.visit(BudgetedCheck.size(value));
                // No other keyword reads a text to its end.
                default -> check.visit(value.isTextual() ? 1 : BudgetedCheck.size(value));
            }
            validator.validate(execution, looked, root, place);
        }

        /** The size of the annotations that other keywords left at this place. */
        private static long sizeOfAnnotations(BudgetedCheck check, NodePath place) {
            return check.getAnnotations().asMap().getOrDefault(place, List.of()).stream()
                    .mapToLong(annotation ->
                            VISITS_PER_ANNOTATION + (annotation.getValue() instanceof Set<?> names ? names.size() : 0))
                    .sum();
        }

        /** The names that must be there, since the value has the members that they depend on. */
        private long sizeOfDependencies(JsonNode value) {
            long names = 0;
            for (var list : rule.properties()) {
                names += value.has(list.getKey()) ? BudgetedCheck.size(list.getValue()) : 0;
            }
            return names;
        }

        private static long sizeForFormat(JsonNode value) {
            if (!value.isTextual()) {
                return 1;
            }
            long length = value.textValue().length();
            return 1 + length + length * length / FORMAT_LENGTH;
        }

        /**
         * An array of the first two elements that are equal, or an empty one. Compares canonical texts, since a server
         * can choose values with equal hashes.
         */
        private JsonNode equalElements(JsonNode array, BudgetedCheck check) {
            if (!array.isArray() || !rule.isBoolean() || !rule.booleanValue()) {
                return array;
            }
            var seen = new HashMap<String, JsonNode>();
            var equal = ExactJson.MAPPER.createArrayNode();
            for (var element : array) {
                check.visit(VISITS_PER_CANONICAL_TEXT);
                check.visitAll(element);
                if (seen.putIfAbsent(ExactJson.text(element), element) != null) {
                    return equal.add(element).add(element);
                }
            }
            return equal;
        }

        @Override
        public void preloadSchema() {
            validator.preloadSchema();
        }

        @Override
        public String getKeyword() {
            return validator.getKeyword();
        }

        @Override
        public SchemaLocation getSchemaLocation() {
            return validator.getSchemaLocation();
        }
    }
}
