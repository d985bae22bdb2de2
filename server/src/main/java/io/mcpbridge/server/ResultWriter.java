package io.mcpbridge.server;

import static java.util.stream.Collectors.joining;

import io.mcpbridge.internal.json.JsonCodec;
import io.mcpbridge.internal.json.SchemaReferences;
import io.mcpbridge.server.ToolHandler.ToolOutput;
import io.mcpbridge.spi.SchemaCheck;
import io.mcpbridge.spi.SchemaCheck.SchemaIssue;
import io.mcpbridge.spi.SchemaCheckProvider;
import io.mcpbridge.tool.Content;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Writes the results of one tool: in the envelope {@code {"ok":…}}, which is structured content and text, or as the
 * handler returned them. Checks structured content by the schema that clients see.
 *
 * @param schema of structured content; the empty string if none is declared
 * @param check checks by the schema; null if none is declared
 */
record ResultWriter(
        boolean isEnveloped, String schema, @Nullable SchemaCheck check) {
    private static final String ENVELOPE_SCHEMA = "{\"type\":\"object\",\"properties\":{\"ok\":{\"type\":\"boolean\"},"
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
                ? ENVELOPE_SCHEMA.formatted(SchemaReferences.below("/properties/data", declared))
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
                    "structured content must be an object but is %s; return a record or a map".formatted(structured));
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
