package io.mcpbridge.catalog.schema;

import static java.util.stream.Collectors.joining;

import io.mcpbridge.message.JsonText;
import io.mcpbridge.spi.SchemaIssue;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;
import tools.jackson.core.JsonPointer;
import tools.jackson.databind.JsonNode;

/**
 * Says what is wrong with a schema in words for whoever wrote it: where, the value that stands there, and what would be
 * right. Pure.
 */
final class SchemaMistakes {
    private static final int LONGEST_VALUE = 100;

    /** What the schema of schemas says of a type that there is not. */
    private static final String TYPES =
            "[\"array\", \"boolean\", \"integer\", \"null\", \"number\", \"object\", \"string\"]";

    /** What some of them say of a pattern that is none. */
    private static final String NO_PATTERN = "must be a valid ECMA-262 regular expression";

    private static final String MUST_BE_PATTERN = "must be a regular expression that can be read";

    private static final Pattern OTHER_KIND = Pattern.compile("\\w+ found, (.*) expected");

    private SchemaMistakes() {}

    /** The mistakes that the schema of schemas has found, one for each place. */
    static List<SchemaIssue> told(JsonNode schema, List<SchemaIssue> found) {
        var byPlace = new LinkedHashMap<String, List<String>>();
        found.forEach(issue -> byPlace.computeIfAbsent(issue.path(), place -> new ArrayList<>())
                .add(issue.message()));
        var told = new ArrayList<SchemaIssue>();
        byPlace.forEach((place, messages) -> {
            var isOfType = messages.stream().anyMatch(SchemaMistakes::isOfType);
            // Of a list of types the one that is none is told, and not that the list is no type.
            if (!isOfType || byPlace.keySet().stream().noneMatch(other -> other.startsWith(place + "/"))) {
                told.add(new SchemaIssue(place, words(schema.at(place), isOfType, messages)));
            }
        });
        return told;
    }

    private static boolean isOfType(String message) {
        return message.contains(TYPES);
    }

    private static String words(JsonNode value, boolean isOfType, List<String> messages) {
        if (isOfType && !value.isArray()) {
            return "is %s but must be one of %s".formatted(cut(value.toString()), TYPES);
        }
        var rules = messages.stream()
                .filter(message -> !isOfType(message))
                .map(SchemaMistakes::rule)
                .distinct()
                .collect(joining("; "));
        return rules.startsWith("must ")
                ? "is %s but %s".formatted(cut(value.toString()), rules)
                : "is %s: %s".formatted(cut(value.toString()), rules);
    }

    private static String rule(String message) {
        if (message.endsWith(NO_PATTERN)) {
            return MUST_BE_PATTERN;
        }
        var otherKind = OTHER_KIND.matcher(message);
        return otherKind.matches() ? "must be of type " + otherKind.group(1) : message;
    }

    /** What is wrong with a pattern that something thrown is about; empty where it is not about one. */
    static Optional<SchemaIssue> ofPattern(JsonNode schema, Throwable thrown) {
        for (var cause = thrown; cause != null; cause = cause.getCause()) {
            if (cause instanceof PatternSyntaxException refused) {
                var words = "is %s but %s: %s"
                        .formatted(
                                cut(JsonText.quote(refused.getPattern())), MUST_BE_PATTERN, refused.getDescription());
                var place = place(schema, JsonPointer.empty(), refused.getPattern());
                return Optional.of(new SchemaIssue(place.orElse(""), words));
            }
        }
        return Optional.empty();
    }

    /** Where the pattern stands first. */
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
        return value.isString() && value.stringValue().equals(text);
    }

    private static String cut(String raw) {
        return raw.length() <= LONGEST_VALUE ? raw : raw.substring(0, LONGEST_VALUE) + "…";
    }
}
