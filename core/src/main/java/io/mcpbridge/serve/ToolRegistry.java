package io.mcpbridge.serve;

import static java.util.stream.Collectors.joining;

import io.mcpbridge.failure.BridgeException;
import io.mcpbridge.internal.json.Json;
import io.mcpbridge.serve.schema.MinimalSchemaCheckProvider;
import io.mcpbridge.serve.schema.RecordSchema;
import io.mcpbridge.serve.schema.RecordValues;
import io.mcpbridge.spi.AuditedCall;
import io.mcpbridge.spi.SchemaCheck;
import io.mcpbridge.spi.SchemaCheckProvider;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.function.Function;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The tools that are registered, in the order of their names. Any thread. */
final class ToolRegistry {
    private static final Pattern NAME = Pattern.compile("^[a-z_][a-z0-9_]*$");

    private final Map<String, RegisteredTool> tools = new ConcurrentSkipListMap<>();
    private final Mode mode;
    private final SchemaCheckProvider checks;

    ToolRegistry(Mode mode, SchemaCheckProvider checks) {
        this.mode = mode;
        this.checks = checks;
    }

    Mode mode() {
        return mode;
    }

    void add(String name, ToolConfig config, ToolHandler handler) {
        add(RegisteredTool.audited(name, config, handler.sandbox()), config, checks, arguments -> handler);
    }

    <A extends Record> void add(String name, ToolConfig config, Class<A> type, RecordHandler<A> handler) {
        if (!config.inputSchema().isEmpty()) {
            throw new IllegalArgumentException(
                    "inputSchema must be left out where the arguments are a record: that of '%s' is derived from %s"
                            .formatted(name, type.getName()));
        }
        var derived = config.withInputSchema(RecordSchema.of(type));
        add(RegisteredTool.audited(name, derived, ""), derived, new MinimalSchemaCheckProvider(), arguments -> {
            var read = RecordValues.read(type, arguments);
            return call -> handler.handle(read, call);
        });
    }

    private void add(
            AuditedCall audited,
            ToolConfig config,
            SchemaCheckProvider provider,
            Function<Map<String, @Nullable Object>, ToolHandler> binding) {
        var name = audited.tool();
        if (!NAME.matcher(name).matches()) {
            throw new IllegalArgumentException("invalid tool name: " + name);
        }
        var tool = new RegisteredTool(audited, config, check(config.inputSchema(), provider), binding, new Turns());
        if (tools.putIfAbsent(name, tool) != null) {
            throw new IllegalStateException("tool already registered: " + name);
        }
    }

    private static SchemaCheck check(String schema, SchemaCheckProvider provider) {
        if (schema.isBlank()) {
            throw new IllegalArgumentException("inputSchema must be given, such as {\"type\":\"object\"}");
        }
        try {
            if (!isOfAnObject(schema)) {
                throw new IllegalArgumentException(
                        "inputSchema must be the JSON Schema of an object, {\"type\":\"object\",…}, but is " + schema);
            }
            return provider.compile(schema);
        } catch (BridgeException unfit) {
            throw new IllegalArgumentException(
                    "inputSchema must be one that can be checked: "
                            + unfit.failure().message(),
                    unfit);
        }
    }

    private static boolean isOfAnObject(String schema) {
        return Json.readPlain(schema) instanceof Map<?, ?> members && "object".equals(members.get("type"));
    }

    Optional<RegisteredTool> find(String name) {
        return Optional.ofNullable(tools.get(name));
    }

    /** The raw JSON of a tool's schema. */
    Optional<String> schema(String name) {
        return find(name).map(tool -> tool.config().inputSchema());
    }

    /** The result of {@code tools/list}: what can be called in this mode. */
    String list() {
        return tools.values().stream()
                .filter(tool -> mode.refuses(tool.config()).isEmpty())
                .map(RegisteredTool::definition)
                .collect(joining(",", "{\"tools\":[", "]}"));
    }
}
