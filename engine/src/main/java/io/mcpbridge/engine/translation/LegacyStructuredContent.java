package io.mcpbridge.engine.translation;

import io.mcpbridge.call.Outcome;
import io.mcpbridge.failure.ProtocolException;
import io.mcpbridge.internal.json.JsonCodec;
import io.mcpbridge.message.Era;
import io.mcpbridge.message.JsonStrings;
import io.mcpbridge.message.MessageField;
import io.mcpbridge.message.Response;
import io.mcpbridge.tool.ToolDefinition;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/**
 * Structured results for legacy clients, which support only objects. Other values of a modern server, and their schemas,
 * become the member {@code result} of an object. Pure; any thread.
 */
public final class LegacyStructuredContent {
    private static final String WRAPPED =
            "{\"type\":\"object\",\"properties\":{\"result\":%s},\"required\":[\"result\"]}";

    private LegacyStructuredContent() {}

    /** The tool for a legacy client; the same one if its results are objects or unstructured. */
    public static ToolDefinition downgrade(ToolDefinition tool) {
        var wrapped = isWrapped(tool)
                ? tool.withOutputSchema(WRAPPED.formatted(SchemaReferences.below(
                        "/properties/result", tool.outputSchema().orElseThrow().text())))
                : tool;
        return wrapped.mended(Era.LEGACY);
    }

    /**
     * The outcome for a legacy client that called a tool of a modern server.
     *
     * @param tool the tool of the server; used only for structured results
     */
    public static Outcome downgrade(Outcome outcome, Supplier<Optional<ToolDefinition>> tool) {
        if (!(outcome instanceof Outcome.Answered answered)
                || !answered.response().has(MessageField.STRUCTURED_CONTENT)) {
            return outcome;
        }
        var value = answered.response().raw(MessageField.STRUCTURED_CONTENT).orElseThrow();
        var needsObject = !value.startsWith("{")
                || tool.get().filter(LegacyStructuredContent::isWrapped).isPresent();
        if (!needsObject) {
            return answered;
        }
        var response =
                answered.response().splice().replace(MessageField.STRUCTURED_CONTENT, "{\"result\":" + value + "}");
        return new Outcome.Answered((Response) response.done(), answered.attempts());
    }

    private static boolean isWrapped(ToolDefinition tool) {
        var schema = tool.outputSchema().map(each -> each.text()).orElse("");
        if (!schema.startsWith("{")) {
            return false;
        }
        try {
            var type = JsonCodec.rawMembers(schema).getOrDefault("type", "");
            return JsonCodec.text(type).filter("object"::equals).isEmpty();
        } catch (ProtocolException unreadable) {
            return false;
        }
    }

    /** Moves a JSON Schema into another one, and adapts its references to itself. */
    private record SchemaReferences(String place) {

        /** Keywords whose values are data, not schemas. */
        private static final Set<String> DATA = Set.of("const", "enum", "default", "examples");

        /** Keywords whose values are schemas by name. */
        private static final Set<String> NAMED =
                Set.of("properties", "patternProperties", "$defs", "definitions", "dependentSchemas", "dependencies");

        private static final Set<String> REFERENCES = Set.of("$ref", "$dynamicRef");

        /**
         * The schema at another place.
         *
         * @param place a JSON pointer, such as {@code /properties/result}
         */
        private static String below(String place, String schema) {
            return new SchemaReferences(place).schema(schema);
        }

        private String schema(String raw) {
            if (raw.startsWith("[")) {
                return JsonCodec.rawElements(raw).stream().map(this::schema).collect(Collectors.joining(",", "[", "]"));
            }
            if (!raw.startsWith("{")) {
                return raw;
            }
            var members = new LinkedHashMap<>(JsonCodec.rawMembers(raw));
            if (isOfItsOwn(members)) {
                return raw;
            }
            members.replaceAll(this::member);
            return JsonCodec.object(members);
        }

        /** Whether it has an {@code $id}, at which its references begin wherever it is. */
        private static boolean isOfItsOwn(Map<String, String> members) {
            var id = members.getOrDefault("$id", "");
            return id.startsWith("\"") && !id.startsWith("\"#");
        }

        private String member(String key, String raw) {
            if (REFERENCES.contains(key) && raw.startsWith("\"")) {
                return reference(raw);
            }
            if (DATA.contains(key)) {
                return raw;
            }
            return NAMED.contains(key) && raw.startsWith("{") ? named(raw) : schema(raw);
        }

        private String named(String raw) {
            var members = new LinkedHashMap<>(JsonCodec.rawMembers(raw));
            members.replaceAll((name, schema) -> schema(schema));
            return JsonCodec.object(members);
        }

        private String reference(String raw) {
            var text = JsonStrings.decode(raw);
            var isLocal = text.equals("#") || text.startsWith("#/");
            return isLocal ? JsonStrings.quote("#" + place + text.substring(1)) : raw;
        }
    }
}
