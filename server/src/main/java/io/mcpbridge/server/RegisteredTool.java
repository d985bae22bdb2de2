package io.mcpbridge.server;

import io.mcpbridge.failure.BridgeException;
import io.mcpbridge.internal.json.JsonCodec;
import io.mcpbridge.message.JsonStrings;
import io.mcpbridge.spi.SchemaCheck;
import io.mcpbridge.spi.SchemaCheckProvider;
import io.mcpbridge.tool.ToolHints;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A tool of a server.
 *
 * @param json the element of {@code tools/list}
 * @param sandbox the sandbox of the process of its handlers; empty if they run in this process
 * @param config has a schema
 * @param check checks arguments by the schema
 * @param results writes what handlers return
 * @param binding makes the handler for arguments that passed the check; throws {@code InvalidArgumentsException}
 * @param executor runs one call at a time
 */
record RegisteredTool(
        String name,
        String json,
        String sandbox,
        ToolConfig config,
        SchemaCheck check,
        ResultWriter results,
        Function<Map<String, @Nullable Object>, ToolHandler> binding,
        SerialCallQueue executor) {
    private static final Pattern NAME = Pattern.compile("^[a-z_][a-z0-9_]*$");

    static RegisteredTool of(String name, ToolConfig config, ToolHandler handler, SchemaCheckProvider checks) {
        return of(name, config, handler.sandbox(), arguments -> handler, checks);
    }

    /** A tool whose arguments are a record. */
    static <A extends Record> RegisteredTool of(
            String name, ToolConfig config, Class<A> type, RecordHandler<A> handler, SchemaCheckProvider checks) {
        if (!config.inputSchema().isEmpty()) {
            throw new IllegalArgumentException(
                    "inputSchema must be left out where the arguments are a record: the schema of '%s' is derived from %s"
                            .formatted(name, type.getName()));
        }
        Function<Map<String, @Nullable Object>, ToolHandler> binding = arguments -> {
            var read = RecordSchema.read(type, arguments);
            return call -> handler.handle(read, call);
        };
        return of(name, config.withInputSchema(RecordSchema.of(type)), "", binding, checks);
    }

    /** A tool that is a method. */
    static RegisteredTool of(ToolMethod method, SchemaCheckProvider checks) {
        return of(method.name(), method.config(), "", method::bind, checks);
    }

    private static RegisteredTool of(
            String name,
            ToolConfig config,
            String sandbox,
            Function<Map<String, @Nullable Object>, ToolHandler> binding,
            SchemaCheckProvider checks) {
        if (!NAME.matcher(name).matches()) {
            throw new IllegalArgumentException("invalid tool name: " + name);
        }
        var schema = config.inputSchema();
        if (schema.isBlank()) {
            throw new IllegalArgumentException("inputSchema must be given, such as {\"type\":\"object\"}");
        }
        var check = compiled("inputSchema", () -> {
            requireObject("inputSchema", schema);
            return checks.compile(schema);
        });
        var results = compiled("outputSchema", () -> {
            if (!config.isEnveloped() && !config.outputSchema().isEmpty()) {
                requireObject("outputSchema", config.outputSchema());
            }
            return ResultWriter.of(config, checks);
        });
        var json = json(name, config, results.schema());
        return new RegisteredTool(name, json, sandbox, config, check, results, binding, new SerialCallQueue());
    }

    private static <T> T compiled(String member, Supplier<T> schema) {
        try {
            return schema.get();
        } catch (BridgeException uncheckable) {
            throw new IllegalArgumentException(
                    "%s must be one that can be checked: %s"
                            .formatted(member, uncheckable.failure().message()),
                    uncheckable);
        }
    }

    private static void requireObject(String member, String schema) {
        if (!(JsonCodec.readPlain(schema) instanceof Map<?, ?> members) || !"object".equals(members.get("type"))) {
            throw new IllegalArgumentException(
                    "%s must be the JSON Schema of an object, {\"type\":\"object\",…}, but is %s"
                            .formatted(member, schema));
        }
    }

    private static String json(String name, ToolConfig config, String outputSchema) {
        var members = new LinkedHashMap<String, String>();
        members.put("name", JsonStrings.quote(name));
        members.put("title", JsonStrings.quote(config.title().isEmpty() ? name : config.title()));
        if (!config.description().isEmpty()) {
            members.put("description", JsonStrings.quote(config.description()));
        }
        members.put("inputSchema", config.inputSchema());
        if (!outputSchema.isEmpty()) {
            members.put("outputSchema", outputSchema);
        }
        if (config.hints().declared()) {
            members.put("annotations", annotations(config.hints()));
        }
        return JsonCodec.object(members);
    }

    private static String annotations(ToolHints hints) {
        return "{\"readOnlyHint\":%s,\"destructiveHint\":%s,\"idempotentHint\":%s,\"openWorldHint\":%s}"
                .formatted(hints.readOnly(), hints.destructive(), hints.idempotent(), hints.openWorld());
    }
}
