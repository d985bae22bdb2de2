package io.mcpbridge.upstream;

import io.mcpbridge.call.Call;
import io.mcpbridge.call.Metadata;
import io.mcpbridge.era.HeaderText;
import io.mcpbridge.era.ParamHeaders;
import io.mcpbridge.failure.Failure;
import io.mcpbridge.failure.ProtocolException;
import io.mcpbridge.message.Methods;
import io.mcpbridge.message.Part;
import io.mcpbridge.tool.ToolDefinition;
import io.mcpbridge.upstream.admission.KnownTools;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The headers in which calls of tools repeat arguments for modern servers over HTTP, as the tools' schemas want it.
 * Any thread may use it.
 *
 * <p>A tool that was not listed yet is called without; a server that misses a header says so before it does anything.
 */
final class ToolCallHeaders {
    private volatile @Nullable KnownTools tools;

    /** Says where tools are known from. */
    void knowFrom(KnownTools newTools) {
        tools = newTools;
    }

    /** The metadata of a call with the headers that belong to its tool. */
    Metadata of(Call call) {
        var metadata = call.metadata();
        for (var header : texts(call).entrySet()) {
            metadata = metadata.with(header.getKey(), HeaderText.encode(header.getValue()));
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
                    .texts(call.request().raw(Part.ARGUMENTS).orElse("{}"));
        } catch (ProtocolException unusable) {
            // What the schema or the arguments lack is for the server to say.
            return Map.of();
        }
    }

    private Optional<String> schema(Call call) {
        var known = tools;
        if (known == null || !call.request().method().equals(Methods.TOOLS_CALL)) {
            return Optional.empty();
        }
        return call.request()
                .text(Part.NAME)
                .flatMap(name -> known.find(call.caller(), name))
                .flatMap(ToolDefinition::inputSchema);
    }

    /** Asks the server for its tools anew, and goes on then. */
    void learn(Call call, Runnable then, Consumer<Failure> failed) {
        var known = tools;
        if (known == null) {
            then.run();
            return;
        }
        known.learn(call.caller(), then, failed);
    }
}
