package io.mcpbridge.server;

import static java.util.stream.Collectors.joining;

import io.mcpbridge.failure.BridgeException;
import io.mcpbridge.internal.json.JsonCodec;
import io.mcpbridge.internal.json.SchemaReferenceRewriter;
import io.mcpbridge.message.JsonStrings;
import io.mcpbridge.server.ToolHandler.ToolOutput;
import io.mcpbridge.spi.SchemaCheck;
import io.mcpbridge.spi.SchemaCheck.SchemaIssue;
import io.mcpbridge.spi.SchemaCheckProvider;
import io.mcpbridge.tool.Content;
import io.mcpbridge.tool.ToolHints;
import java.util.LinkedHashMap;
import java.util.List;
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

    /**
     * Writes the results of one tool: in the envelope {@code {"ok":…}}, which is structured content and text, or as the
     * handler returned them. Checks structured content by the schema that clients see.
     *
     * @param schema of structured content; the empty string if none is declared
     * @param check checks by the schema; null if none is declared
     */
    record ResultWriter(
            boolean isEnveloped, String schema, @Nullable SchemaCheck check) {
        private static final String ENVELOPE_SCHEMA =
                "{\"type\":\"object\",\"properties\":{\"ok\":{\"type\":\"boolean\"},"
                        + "\"data\":%s,\"error\":{\"type\":\"object\"}},\"required\":[\"ok\"]}";

        /**
         * The writer of a tool.
         *
         * @throws io.mcpbridge.failure.BridgeException if the output schema cannot be checked
         */
        static ResultWriter of(ToolConfig config, SchemaCheckProvider checks) {
            var declared = config.outputSchema();
            if (declared.isEmpty()) {
                return new ResultWriter(config.isEnveloped(), "", null);
            }
            var schema = config.isEnveloped()
                    ? ENVELOPE_SCHEMA.formatted(SchemaReferenceRewriter.below("/properties/data", declared))
                    : declared;
            return new ResultWriter(config.isEnveloped(), schema, checks.compile(schema));
        }

        /**
         * The result of {@code tools/call} for what the handler returned.
         *
         * @throws IllegalArgumentException if it has no JSON form, or does not fit the schema
         */
        String success(@Nullable Object returned) {
            if (isEnveloped) {
                var envelope = "{\"ok\":true,\"data\":" + json(returned) + "}";
                return checked(text(envelope), envelope);
            }
            if (returned instanceof ToolOutput output) {
                return checked(output.content(), json(output.structured()));
            }
            var blocks = blocks(returned);
            if (!blocks.isEmpty()) {
                return checked(blocks, "");
            }
            var json = json(returned);
            return checked(text(json), json.startsWith("{") ? json : "");
        }

        /** The result for a failure; without an envelope its details follow the message. */
        String error(String code, String message, Map<String, ?> details) {
            if (!isEnveloped) {
                return write(text(details.isEmpty() ? message : message + " " + JsonCodec.write(details)), "", true);
            }
            var error = new LinkedHashMap<String, Object>();
            error.put("code", code);
            error.put("message", message);
            if (!details.isEmpty()) {
                error.put("details", details);
            }
            var envelope = "{\"ok\":false,\"error\":" + JsonCodec.write(error) + "}";
            return write(text(envelope), envelope, true);
        }

        private static String json(@Nullable Object value) {
            return JsonCodec.write(PlainValues.of(value));
        }

        private static List<Content> text(String text) {
            return List.of(new Content.Text(text));
        }

        /** The blocks that a handler returned; empty if it returned something else. */
        private static List<Content> blocks(@Nullable Object returned) {
            if (returned instanceof String string) {
                return text(string);
            }
            if (returned instanceof Content block) {
                return List.of(block);
            }
            return returned instanceof List<?> list && list.stream().allMatch(Content.class::isInstance)
                    ? list.stream().map(Content.class::cast).toList()
                    : List.of();
        }

        private String checked(List<Content> content, String structured) {
            if (!structured.isEmpty() && !structured.startsWith("{")) {
                throw new IllegalArgumentException(
                        "structured content must be an object but is %s; return a record or a map"
                                .formatted(structured));
            }
            if (check != null) {
                requireFitting(structured, check);
            }
            return write(content, structured, false);
        }

        private static void requireFitting(String structured, SchemaCheck check) {
            var issues = structured.isEmpty()
                    ? List.of(new SchemaIssue("", "it has no structured content"))
                    : check.issues(structured);
            if (!issues.isEmpty()) {
                throw new IllegalArgumentException("the result does not fit outputSchema: "
                        + issues.stream().map(SchemaIssue::toString).collect(joining("; ")));
            }
        }

        private static String write(List<Content> content, String structured, boolean isError) {
            return "{\"content\":%s%s,\"isError\":%s}"
                    .formatted(
                            content.stream().map(block -> block.json().text()).collect(joining(",", "[", "]")),
                            structured.isEmpty() ? "" : ",\"structuredContent\":" + structured,
                            isError);
        }
    }
}
