package io.mcpbridge.tool;

import io.mcpbridge.internal.json.Json;
import io.mcpbridge.message.Era;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Stream;

/**
 * What the protocol demands of a definition of a tool, beside its name. Looks at what members are and not at what they
 * say; many clients refuse a whole list for one of them. Pure.
 */
final class DefinitionRules {
    private static final int LONGEST_VALUE = 40;
    private static final Set<String> THEMES = Set.of("light", "dark");
    private static final Set<String> TASK_SUPPORT = Set.of("forbidden", "optional", "required");
    private static final List<String> FLAGS =
            List.of("readOnlyHint", "destructiveHint", "idempotentHint", "openWorldHint");

    private DefinitionRules() {}

    /** What is wrong by one rule. */
    private interface Rule {
        Optional<String> mistake();
    }

    /** The members of an object at {@code path}. */
    private record Members(String path, Map<String, String> raw) {

        static Members of(String path, String rawObject) {
            return new Members(path, Json.rawMembers(rawObject));
        }

        /** The mistake of a member that is there and no such value. */
        Optional<String> unless(String key, Predicate<String> fits, String words) {
            return Optional.ofNullable(raw.get(key))
                    .filter(fits.negate())
                    .map(value -> "'%s%s' is %s but must be %s".formatted(path, key, cut(value), words));
        }

        Optional<String> unlessText(String key) {
            return unless(key, DefinitionRules::isText, "a text");
        }

        Optional<String> unlessObject(String key) {
            return unless(key, DefinitionRules::isObject, "an object");
        }

        /** What is wrong in the object {@code key}, where there is one. */
        Optional<String> inside(String key, Function<Members, Optional<String>> rules) {
            return unlessObject(key)
                    .or(() -> Optional.ofNullable(raw.get(key))
                            .flatMap(object -> rules.apply(of(path + key + "/", object))));
        }
    }

    /** The first mistake of a definition of a server of this era; empty where there is none. */
    static Optional<String> flaw(Map<String, String> definition, Era era) {
        var members = new Members("", definition);
        return first(
                () -> members.raw().containsKey("inputSchema")
                        ? members.inside("inputSchema", DefinitionRules::objectSchema)
                        : Optional.of("it has no 'inputSchema', which must be an object"),
                () -> members.inside(
                        "outputSchema", era == Era.LEGACY ? DefinitionRules::objectSchema : DefinitionRules::anySchema),
                () -> members.unlessText("title"),
                () -> members.unlessText("description"),
                () -> members.inside("annotations", DefinitionRules::annotations),
                () -> members.unless("icons", DefinitionRules::isArray, "an array"),
                () -> icons(members.raw().getOrDefault("icons", "[]")),
                () -> members.inside("execution", DefinitionRules::execution),
                () -> members.unlessObject("_meta"));
    }

    /** A schema of objects is shown to legacy clients as it is; any other lies in one of ours there. */
    private static Optional<String> anySchema(Members schema) {
        return isOfObjects(schema.raw()) ? objectSchema(schema) : schema.unlessText("$schema");
    }

    private static Optional<String> objectSchema(Members schema) {
        if (!isOfObjects(schema.raw())) {
            return Optional.of("'%stype' is %s but must be \"object\""
                    .formatted(schema.path(), cut(schema.raw().getOrDefault("type", "missing"))));
        }
        return first(
                () -> schema.unlessText("$schema"),
                () -> schema.inside("properties", DefinitionRules::properties),
                () -> schema.unless("required", DefinitionRules::isArrayOfTexts, "an array of texts"));
    }

    private static Optional<String> properties(Members properties) {
        return properties.raw().keySet().stream()
                .flatMap(key -> properties.unless(key, raw -> isObject(raw) || isFlag(raw), "an object").stream())
                .findFirst();
    }

    private static Optional<String> annotations(Members annotations) {
        return Stream.concat(
                        annotations.unlessText("title").stream(),
                        FLAGS.stream()
                                .flatMap(key ->
                                        annotations.unless(key, DefinitionRules::isFlag, "true or false").stream()))
                .findFirst();
    }

    private static Optional<String> icons(String array) {
        return Json.rawElements(array).stream()
                .flatMap(raw ->
                        new Members("icons/", Map.of("icon", raw)).inside("icon", DefinitionRules::icon).stream())
                .findFirst();
    }

    private static Optional<String> icon(Members icon) {
        return first(
                () -> icon.raw().containsKey("src")
                        ? icon.unlessText("src")
                        : Optional.of("'%ssrc' is missing but must be a text".formatted(icon.path())),
                () -> icon.unlessText("mimeType"),
                () -> icon.unless("sizes", DefinitionRules::isArrayOfTexts, "an array of texts"),
                () -> icon.unless("theme", raw -> isOneOf(raw, THEMES), "\"light\" or \"dark\""));
    }

    private static Optional<String> execution(Members execution) {
        return execution.unless(
                "taskSupport", raw -> isOneOf(raw, TASK_SUPPORT), "\"forbidden\", \"optional\" or \"required\"");
    }

    private static Optional<String> first(Rule... rules) {
        return Stream.of(rules).flatMap(rule -> rule.mistake().stream()).findFirst();
    }

    private static boolean isOfObjects(Map<String, String> schema) {
        return isOneOf(schema.getOrDefault("type", ""), Set.of("object"));
    }

    private static boolean isOneOf(String raw, Set<String> values) {
        return Json.text(raw).filter(values::contains).isPresent();
    }

    private static boolean isText(String raw) {
        return raw.startsWith("\"");
    }

    private static boolean isObject(String raw) {
        return raw.startsWith("{");
    }

    private static boolean isArray(String raw) {
        return raw.startsWith("[");
    }

    static boolean isFlag(String raw) {
        return raw.equals("true") || raw.equals("false");
    }

    private static boolean isArrayOfTexts(String raw) {
        return isArray(raw) && Json.rawElements(raw).stream().allMatch(DefinitionRules::isText);
    }

    private static String cut(String raw) {
        return raw.length() <= LONGEST_VALUE ? raw : raw.substring(0, LONGEST_VALUE) + "…";
    }
}
