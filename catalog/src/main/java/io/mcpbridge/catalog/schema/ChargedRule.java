package io.mcpbridge.catalog.schema;

import com.networknt.schema.ExecutionContext;
import com.networknt.schema.SchemaLocation;
import com.networknt.schema.keyword.KeywordValidator;
import com.networknt.schema.path.NodePath;
import io.mcpbridge.catalog.schema.Allowances.Allowance;
import java.util.HashMap;
import java.util.Set;
import tools.jackson.databind.JsonNode;

/**
 * A rule that pays for what it looks at before it does, by its own size and by that of the value. What a rule hands on to
 * others, as {@code allOf} does, is paid for by them. Any thread.
 *
 * @param rule what the schema says
 */
record ChargedRule(KeywordValidator validator, JsonNode rule, Allowances allowances) implements KeywordValidator {
    /**
     * They look at a value from the outside, or not at all, however large it is. Whatever is not here pays for the value:
     * a keyword comes in with a hostile schema in the tests, below {@code if}, {@code not} and {@code anyOf}.
     */
    private static final Set<String> OUTSIDE = Set.of(
            "type",
            "minItems",
            "maxItems",
            "minProperties",
            "maxProperties",
            "minimum",
            "maximum",
            "exclusiveMinimum",
            "exclusiveMaximum",
            "multipleOf",
            "allOf",
            "anyOf",
            "oneOf",
            "not",
            "if",
            "then",
            "else",
            "required",
            "properties",
            "pattern",
            "title",
            "description",
            "default",
            "$defs",
            "definitions",
            "examples");

    /** A text of that length is as dear to a format as all that one check may look at. */
    private static final long FORMAT_PARTS = 256;

    /** Writing a value as a text is as dear as looking at so many. */
    private static final long TEXT = 32;

    @Override
    public void validate(ExecutionContext execution, JsonNode value, JsonNode root, NodePath place) {
        var allowance = allowances.current();
        allowance.work(Sizes.of(rule));
        var looked = value;
        switch (getKeyword()) {
            case "uniqueItems" -> looked = firstTwins(value, allowance);
            case "enum", "const" -> {
                Sizes.takeAll(rule, allowance);
                Sizes.takeAll(value, allowance);
            }
            case "patternProperties" -> allowance.work(Sizes.of(rule) * Sizes.of(value));
            case "unevaluatedProperties", "unevaluatedItems" ->
                allowance.work(Sizes.of(value) + allowance.workDone() / 16);
            case "dependentRequired", "dependencies" -> allowance.work(Sizes.of(value) + ofLists(value));
            case "format" -> allowance.work(ofFormat(value));
            case "contentMediaType", "contentEncoding" ->
                allowance.work(value.isString() ? 1L + value.stringValue().length() : 1);
            default -> allowance.work(OUTSIDE.contains(getKeyword()) ? 1 : Sizes.of(value));
        }
        validate(execution, looked, root, place, allowance);
    }

    /** Who makes mistakes pays for them; rules above and below may keep them in lists of their own. */
    private void validate(
            ExecutionContext execution, JsonNode value, JsonNode root, NodePath place, Allowance allowance) {
        var errors = execution.getErrors();
        if (errors instanceof ChargedErrors) {
            validator.validate(execution, value, root, place);
            return;
        }
        execution.setErrors(new ChargedErrors(errors, allowance));
        try {
            validator.validate(execution, value, root, place);
        } finally {
            execution.setErrors(errors);
        }
    }

    /** The names that are looked for since the value has the member that they belong to. */
    private long ofLists(JsonNode value) {
        long names = 0;
        for (var list : rule.properties()) {
            names += value.has(list.getKey()) ? Sizes.of(list.getValue()) : 0;
        }
        return names;
    }

    private static long ofFormat(JsonNode value) {
        if (!value.isString()) {
            return 1;
        }
        long length = value.stringValue().length();
        return 1 + length + length * length / FORMAT_PARTS;
    }

    /**
     * The first two elements that are equal, or an array without any. They are compared as texts, since a server can
     * choose values that a hash does not tell apart.
     */
    private JsonNode firstTwins(JsonNode array, Allowance allowance) {
        if (!array.isArray() || !rule.isBoolean() || !rule.booleanValue()) {
            return array;
        }
        var seen = new HashMap<String, JsonNode>();
        var twins = ExactNumbers.MAPPER.createArrayNode();
        for (var element : array) {
            allowance.work(TEXT);
            Sizes.takeAll(element, allowance);
            var twin = seen.putIfAbsent(ExactNumbers.text(element), element);
            if (twin != null) {
                return twins.add(twin).add(element);
            }
        }
        return twins;
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
