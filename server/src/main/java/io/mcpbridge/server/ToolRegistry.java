package io.mcpbridge.server;

import static java.util.stream.Collectors.joining;

import io.mcpbridge.call.Call;
import io.mcpbridge.call.Handler;
import io.mcpbridge.call.Outcome;
import io.mcpbridge.call.Reply;
import io.mcpbridge.failure.BridgeException;
import io.mcpbridge.failure.ErrorCode;
import io.mcpbridge.failure.Failure;
import io.mcpbridge.internal.json.JsonCodec;
import io.mcpbridge.message.MessageField;
import io.mcpbridge.message.Methods;
import io.mcpbridge.spi.SchemaCheck;
import io.mcpbridge.spi.SchemaCheckProvider;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The registered tools, sorted by name. Any thread. */
final class ToolRegistry {
    private static final Pattern NAME = Pattern.compile("^[a-z_][a-z0-9_]*$");

    private final Map<String, RegisteredTool> tools = new ConcurrentSkipListMap<>();
    private final ServerMode mode;
    private final SchemaCheckProvider checks;

    ToolRegistry(ServerMode mode, SchemaCheckProvider checks) {
        this.mode = mode;
        this.checks = checks;
    }

    void add(String name, ToolConfig config, ToolHandler handler) {
        add(name, config, handler.sandbox(), arguments -> handler);
    }

    <A extends Record> void add(String name, ToolConfig config, Class<A> type, RecordHandler<A> handler) {
        if (!config.inputSchema().isEmpty()) {
            throw new IllegalArgumentException(
                    "inputSchema must be left out where the arguments are a record: the schema of '%s' is derived from %s"
                            .formatted(name, type.getName()));
        }
        var derived = config.withInputSchema(RecordSchema.of(type));
        add(name, derived, "", arguments -> {
            var read = RecordSchema.read(type, arguments);
            return call -> handler.handle(read, call);
        });
    }

    private void add(
            String name,
            ToolConfig config,
            String sandbox,
            Function<Map<String, @Nullable Object>, ToolHandler> binding) {
        if (!NAME.matcher(name).matches()) {
            throw new IllegalArgumentException("invalid tool name: " + name);
        }
        var check = check(config.inputSchema());
        var results = results(config);
        var definition = RegisteredTool.definition(name, config, results.schema());
        var tool =
                new RegisteredTool(name, definition, sandbox, config, check, results, binding, new SerialCallQueue());
        if (tools.putIfAbsent(name, tool) != null) {
            throw new IllegalStateException("tool already registered: " + name);
        }
    }

    private SchemaCheck check(String schema) {
        if (schema.isBlank()) {
            throw new IllegalArgumentException("inputSchema must be given, such as {\"type\":\"object\"}");
        }
        return compiled("inputSchema", () -> {
            requireObject("inputSchema", schema);
            return checks.compile(schema);
        });
    }

    private ResultWriter results(ToolConfig config) {
        return compiled("outputSchema", () -> {
            if (!config.isEnveloped() && !config.outputSchema().isEmpty()) {
                requireObject("outputSchema", config.outputSchema());
            }
            return ResultWriter.of(config, checks);
        });
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

    Optional<RegisteredTool> find(String name) {
        return Optional.ofNullable(tools.get(name));
    }

    /** The schema of a tool. */
    Optional<String> schema(String name) {
        return find(name).map(tool -> tool.config().inputSchema());
    }

    /** The result of {@code tools/list}: the tools that this mode admits. */
    String list() {
        return tools.values().stream()
                .filter(tool -> mode.refuses(tool.config()).isEmpty())
                .map(RegisteredTool::definition)
                .collect(joining(",", "{\"tools\":[", "]}"));
    }

    /** Answers {@code tools/list} and {@code tools/call}, refuses other methods, and does not wait. */
    Handler handler(ToolCallRunner.Resources resources) {
        return (call, reply) -> handle(call, reply, resources);
    }

    private void handle(Call call, Reply reply, ToolCallRunner.Resources resources) {
        var request = new ServedRequest(call, reply);
        switch (call.request().method()) {
            case Methods.TOOLS_LIST -> request.list(list());
            case Methods.TOOLS_CALL -> callTool(request, resources);
            default -> {
                var message = "'%s' is not served here".formatted(call.request().method());
                request.refuse(ErrorCode.METHOD_NOT_FOUND, message);
            }
        }
    }

    private void callTool(ServedRequest request, ToolCallRunner.Resources resources) {
        var call = request.call();
        var name = call.request().text(MessageField.NAME);
        if (name.isEmpty()) {
            request.refuse(
                    ErrorCode.INVALID_PARAMS, "'tools/call' needs the name of the tool, a string, in 'params.name'");
            return;
        }
        find(name.get())
                .ifPresentOrElse(
                        tool -> new ToolCallRunner(tool, mode, call, request.reply(), resources).begin(),
                        () -> refuseUnknown(name.get(), request, resources.audit()));
    }

    /** A call of a tool that does not exist is recorded as denied. */
    private static void refuseUnknown(String name, ServedRequest request, AuditRecorder audit) {
        var failure = Failure.of(
                ErrorCode.INVALID_PARAMS, "unknown tool: '%s'; 'tools/list' names all tools".formatted(name));
        audit.denied(request.call(), failure);
        request.reply().done(Outcome.failed(failure));
    }
}
