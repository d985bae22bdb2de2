package io.mcpbridge.internal.definition;

import io.mcpbridge.message.Era;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Validates the definition of a tool against the protocol, except its name. Checks the types of members and not the
 * meaning of texts; many clients reject a whole list because of one invalid member. Pure.
 */
public final class DefinitionRules {
    private static final List<String> FLAGS =
            List.of("readOnlyHint", "destructiveHint", "idempotentHint", "openWorldHint");

    private DefinitionRules() {}

    /** The first mistake in a definition of a server of this era; empty if there is none. */
    public static Optional<String> flaw(Map<String, String> definition, Era era) {
        var members = new MemberChecks("", definition);
        return MemberChecks.first(
                members::loneSurrogate,
                () -> members.raw().containsKey("inputSchema")
                        ? members.inside("inputSchema", DefinitionRules::objectSchema)
                        : Optional.of("it has no 'inputSchema', which must be an object"),
                () -> members.inside(
                        "outputSchema", era == Era.LEGACY ? DefinitionRules::objectSchema : DefinitionRules::anySchema),
                () -> members.unlessText("title"),
                () -> members.unlessText("description"),
                () -> members.inside("annotations", DefinitionRules::annotations),
                members::icons,
                () -> members.inside("execution", DefinitionRules::execution),
                () -> members.unlessObject("_meta"));
    }

    /** Legacy clients see a schema of objects unchanged; any other schema is wrapped in one of the bridge's. */
    private static Optional<String> anySchema(MemberChecks schema) {
        return isOfObjects(schema.raw()) ? objectSchema(schema) : schema.unlessText("$schema");
    }

    private static Optional<String> objectSchema(MemberChecks schema) {
        if (!isOfObjects(schema.raw())) {
            return Optional.of("'%stype' is %s but must be \"object\""
                    .formatted(schema.path(), MemberChecks.cut(schema.raw().getOrDefault("type", "missing"))));
        }
        return MemberChecks.first(
                () -> schema.unlessText("$schema"),
                () -> schema.inside("properties", DefinitionRules::properties),
                () -> schema.unless("required", MemberChecks::isArrayOfTexts, "an array of texts"));
    }

    private static Optional<String> properties(MemberChecks properties) {
        return properties.raw().keySet().stream()
                .flatMap(
                        key -> properties
                                .unless(key, raw -> MemberChecks.isObject(raw) || MemberChecks.isFlag(raw), "an object")
                                .stream())
                .findFirst();
    }

    private static Optional<String> annotations(MemberChecks annotations) {
        return Stream.concat(
                        annotations.unlessText("title").stream(),
                        FLAGS.stream()
                                .flatMap(
                                        key -> annotations.unless(key, MemberChecks::isFlag, "true or false").stream()))
                .findFirst();
    }

    private static Optional<String> execution(MemberChecks execution) {
        return execution.unless(
                "taskSupport",
                MemberChecks.isOneOf("forbidden", "optional", "required"),
                "\"forbidden\", \"optional\" or \"required\"");
    }

    private static boolean isOfObjects(Map<String, String> schema) {
        return MemberChecks.isOneOf("object").test(schema.getOrDefault("type", ""));
    }
}
