package io.mcpbridge.translate;

import io.mcpbridge.call.Outcome;
import io.mcpbridge.call.Reply;
import io.mcpbridge.failure.ProtocolException;
import io.mcpbridge.internal.json.Json;
import io.mcpbridge.message.Era;
import io.mcpbridge.message.Message;
import io.mcpbridge.message.Part;
import io.mcpbridge.message.Response;
import io.mcpbridge.tool.ToolDefinition;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * Structured results for clients of the legacy era, which know objects only. What a modern server describes and returns
 * otherwise lies in the member {@code result} of an object there. Pure; any thread.
 */
public final class LegacySchema {
    private static final String WRAPPED =
            "{\"type\":\"object\",\"properties\":{\"result\":%s},\"required\":[\"result\"]}";

    private LegacySchema() {}

    /** The tool as a legacy client gets it described; the same one where its results are objects, or unstructured. */
    public static ToolDefinition downgrade(ToolDefinition tool) {
        var wrapped = isWrapped(tool)
                ? tool.withOutputSchema(WRAPPED.formatted(SchemaReferences.below(
                        "/properties/result", tool.outputSchema().orElseThrow())))
                : tool;
        return wrapped.mended(Era.LEGACY);
    }

    /**
     * The way back to a legacy client that has called a tool of a modern server.
     *
     * @param tool the tool as its server describes it; looked for when there is a structured result
     */
    public static Reply downgrade(Reply reply, Supplier<Optional<ToolDefinition>> tool) {
        return new Wrapping(reply, tool);
    }

    private static boolean isWrapped(ToolDefinition tool) {
        var schema = tool.outputSchema().orElse("");
        if (!schema.startsWith("{")) {
            return false;
        }
        try {
            var type = Json.rawMembers(schema).getOrDefault("type", "");
            return Json.text(type).filter("object"::equals).isEmpty();
        } catch (ProtocolException unreadable) {
            return false;
        }
    }

    private record Wrapping(Reply reply, Supplier<Optional<ToolDefinition>> tool) implements Reply {

        @Override
        public void event(Message progressOrLog) {
            reply.event(progressOrLog);
        }

        @Override
        public void done(Outcome outcome) {
            var isStructured = outcome instanceof Outcome.Answered answered
                    && answered.response().has(Part.STRUCTURED_CONTENT);
            reply.done(isStructured ? wrapped((Outcome.Answered) outcome) : outcome);
        }

        private Outcome wrapped(Outcome.Answered answered) {
            var value = answered.response().raw(Part.STRUCTURED_CONTENT).orElseThrow();
            var needsObject = !value.startsWith("{")
                    || tool.get().filter(LegacySchema::isWrapped).isPresent();
            if (!needsObject) {
                return answered;
            }
            var response = answered.response().splice().replace(Part.STRUCTURED_CONTENT, "{\"result\":" + value + "}");
            return new Outcome.Answered((Response) response.done(), answered.attempts());
        }
    }
}
