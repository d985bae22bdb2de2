package io.mcpbridge.engine.translation;

import io.mcpbridge.call.Outcome;
import io.mcpbridge.failure.ProtocolException;
import io.mcpbridge.internal.json.JsonCodec;
import io.mcpbridge.internal.json.SchemaReferenceRewriter;
import io.mcpbridge.message.Era;
import io.mcpbridge.message.MessageField;
import io.mcpbridge.message.Response;
import io.mcpbridge.tool.ToolDefinition;
import java.util.Optional;
import java.util.function.Supplier;

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
                ? tool.withOutputSchema(WRAPPED.formatted(SchemaReferenceRewriter.below(
                        "/properties/result", tool.outputSchema().orElseThrow().text())))
                : tool;
        return wrapped.mended(Era.LEGACY);
    }

    /**
     * The outcome for a legacy client that called a tool; the same one if it came over a legacy connection.
     *
     * @param tool the tool of the server; used only for structured results
     */
    public static Outcome downgrade(Outcome outcome, Supplier<Optional<ToolDefinition>> tool) {
        if (!(outcome instanceof Outcome.Answered answered)
                || answered.era() == Era.LEGACY
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
        return answered.withResponse((Response) response.done());
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
}
