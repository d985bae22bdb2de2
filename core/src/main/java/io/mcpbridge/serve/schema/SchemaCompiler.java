package io.mcpbridge.serve.schema;

import io.mcpbridge.failure.ConfigurationException;
import io.mcpbridge.internal.json.Json;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Makes rules of a schema, and refuses one with words that it does not know. Pure. */
final class SchemaCompiler {
    /** Words that only describe. */
    private static final Set<String> DESCRIBING = Set.of(
            "title",
            "description",
            "default",
            "examples",
            "format",
            "deprecated",
            "readOnly",
            "writeOnly",
            "contentEncoding",
            "contentMediaType",
            "$schema",
            "$id",
            "$comment");

    private SchemaCompiler() {}

    /** The rules of a schema as a plain value. */
    static Rule compile(@Nullable Object schema) {
        if (schema instanceof Boolean allowed) {
            return Rule.of(value -> allowed, "is not allowed here");
        }
        if (!(schema instanceof Map<?, ?> words)) {
            throw refusal("a schema must be an object or a boolean, but is " + Json.write(schema));
        }
        var rules = new ArrayList<Rule>();
        words.forEach((word, said) -> {
            var name = String.valueOf(word);
            if (!DESCRIBING.contains(name) && !name.startsWith("x-")) {
                rules.add(rule(name, said, words));
            }
        });
        return PartRules.all(rules);
    }

    private static Rule rule(String word, @Nullable Object said, Map<?, ?> schema) {
        return switch (word) {
            case "type" -> type(said);
            case "enum" -> oneOf(list(word, said));
            case "const" -> Rule.of(value -> Kinds.areEqual(value, said), "must be " + Json.write(said));
            case "required" -> PartRules.required(texts(word, said));
            case "properties" -> PartRules.properties(schemas(word, said));
            case "additionalProperties" -> PartRules.additional(known(schema), compile(said));
            case "items" -> PartRules.items(compile(said));
            case "uniqueItems" ->
                Rule.of(value -> !Boolean.TRUE.equals(said) || isUnique(value), "must have no element twice");
            case "allOf" -> PartRules.all(rules(word, said));
            case "anyOf" -> PartRules.any(rules(word, said));
            case "oneOf" -> PartRules.one(rules(word, said));
            case "not" -> PartRules.not(compile(said));
            default -> sized(word, said);
        };
    }

    private static Rule sized(String word, @Nullable Object said) {
        return switch (word) {
            case "minimum" -> SizeRules.minimum(number(word, said));
            case "maximum" -> SizeRules.maximum(number(word, said));
            case "exclusiveMinimum" -> SizeRules.above(number(word, said));
            case "exclusiveMaximum" -> SizeRules.below(number(word, said));
            case "minLength" -> SizeRules.longText(count(word, said));
            case "maxLength" -> SizeRules.shortText(count(word, said));
            case "minItems" -> SizeRules.longList(count(word, said));
            case "maxItems" -> SizeRules.shortList(count(word, said));
            case "minProperties" -> SizeRules.manyMembers(count(word, said));
            case "maxProperties" -> SizeRules.fewMembers(count(word, said));
            default ->
                throw refusal(
                        "the word '%s' cannot be checked by the schema check 'minimal'; leave it out, or name another check in the options"
                                .formatted(word));
        };
    }

    private static Rule type(@Nullable Object said) {
        var types = said instanceof String one ? List.of(one) : texts("type", said);
        if (types.isEmpty() || !Kinds.ALL.containsAll(types)) {
            throw refusal("'type' must be one or several of %s, but is %s"
                    .formatted(String.join(", ", Kinds.ALL.stream().sorted().toList()), Json.write(said)));
        }
        return (value, path, issues) -> {
            if (types.stream().noneMatch(type -> Kinds.is(value, type))) {
                var words = "must be %s, but is %s".formatted(String.join(" or ", types), Kinds.of(value));
                issues.add(new io.mcpbridge.spi.SchemaIssue(path, words));
            }
        };
    }

    private static Rule oneOf(List<?> allowed) {
        return Rule.of(
                value -> allowed.stream().anyMatch(each -> Kinds.areEqual(each, value)),
                "must be one of " + Json.write(allowed));
    }

    private static boolean isUnique(@Nullable Object value) {
        if (!(value instanceof List<?> list)) {
            return true;
        }
        for (int i = 0; i < list.size(); i++) {
            for (int j = 0; j < i; j++) {
                if (Kinds.areEqual(list.get(i), list.get(j))) {
                    return false;
                }
            }
        }
        return true;
    }

    private static Set<String> known(Map<?, ?> schema) {
        return schema.containsKey("properties")
                ? schemas("properties", schema.get("properties")).keySet()
                : Set.of();
    }

    private static Map<String, Rule> schemas(String word, @Nullable Object said) {
        if (!(said instanceof Map<?, ?> members)) {
            throw wrong(word, "an object of schemas", said);
        }
        var rules = new LinkedHashMap<String, Rule>();
        members.forEach((name, schema) -> rules.put(String.valueOf(name), compile(schema)));
        return rules;
    }

    private static List<Rule> rules(String word, @Nullable Object said) {
        var rules = new ArrayList<Rule>();
        list(word, said).forEach(schema -> rules.add(compile(schema)));
        return rules;
    }

    private static List<?> list(String word, @Nullable Object said) {
        if (!(said instanceof List<?> list) || list.isEmpty()) {
            throw wrong(word, "a list that is not empty", said);
        }
        return list;
    }

    private static List<String> texts(String word, @Nullable Object said) {
        if (!(said instanceof List<?> list) || !list.stream().allMatch(String.class::isInstance)) {
            throw wrong(word, "a list of texts", said);
        }
        return list.stream().map(String::valueOf).toList();
    }

    private static BigDecimal number(String word, @Nullable Object said) {
        if (!(said instanceof Number number)) {
            throw wrong(word, "a number", said);
        }
        return Kinds.decimal(number);
    }

    private static long count(String word, @Nullable Object said) {
        if (!(said instanceof Long count) || count < 0) {
            throw wrong(word, "a whole number from 0 on", said);
        }
        return count;
    }

    private static ConfigurationException wrong(String word, String rule, @Nullable Object said) {
        return refusal("'%s' must be %s, but is %s".formatted(word, rule, Json.write(said)));
    }

    private static ConfigurationException refusal(String problem) {
        return ConfigurationException.of(problem);
    }
}
