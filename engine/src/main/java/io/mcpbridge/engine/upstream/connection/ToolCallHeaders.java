package io.mcpbridge.engine.upstream.connection;

import io.mcpbridge.call.Call;
import io.mcpbridge.call.MessageHeaders;
import io.mcpbridge.engine.pipeline.RecoveryPolicy.Remedy;
import io.mcpbridge.engine.upstream.connection.ToolCallCheck.KnownTools;
import io.mcpbridge.era.ParamHeaders;
import io.mcpbridge.failure.ProtocolException;
import io.mcpbridge.message.MessageField;
import io.mcpbridge.message.Methods;
import io.mcpbridge.message.MirroredHeaders;
import io.mcpbridge.tool.Json;
import io.mcpbridge.tool.ToolDefinition;
import java.util.Map;
import java.util.Optional;

/**
 * The headers in which calls of tools repeat arguments for modern servers over HTTP, as the schemas of the tools demand.
 * Any thread.
 *
 * <p>A tool that is not listed yet is called without them; a server that misses a header refuses the call before it runs.
 *
 * @param tools where the definitions of tools come from
 */
public record ToolCallHeaders(KnownTools tools) {

    /** The metadata of a call with the headers that belong to its tool. */
    MessageHeaders of(Call call) {
        var metadata = call.headers();
        for (var header : texts(call).entrySet()) {
            metadata = metadata.with(header.getKey(), MirroredHeaders.encode(header.getValue()));
        }
        return metadata;
    }

    private Map<String, String> texts(Call call) {
        var schema = schema(call);
        if (schema.isEmpty()) {
            return Map.of();
        }
        try {
            return ParamHeaders.of(schema.get())
                    .texts(call.request().raw(MessageField.ARGUMENTS).orElse("{}"));
        } catch (ProtocolException unusable) {
            // The server reports what is wrong with the schema or the arguments.
            return Map.of();
        }
    }

    private Optional<String> schema(Call call) {
        if (!call.request().method().equals(Methods.TOOLS_CALL)) {
            return Optional.empty();
        }
        return call.request()
                .text(MessageField.NAME)
                .flatMap(name -> tools.find(call.caller(), name))
                .flatMap(ToolDefinition::inputSchema)
                .map(Json::text);
    }

    /** Lists the tools again, whose schemas say which headers go with a call. */
    public Remedy renewal(RejectedRequest rejected) {
        return (then, failed) ->
                tools.learn(rejected.call().caller(), then, unlisted -> failed.accept(rejected.failure()));
    }
}
