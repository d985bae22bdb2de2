package io.mcpbridge.tool;

import io.mcpbridge.failure.ProtocolException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The result of a tool. Immutable.
 *
 * <p>If {@link #isError()} is true, the tool reports a failure; failures of the call are exceptions.
 */
public final class ToolResult {
    private final String toolName;
    private final Json json;
    private final String correlationId;
    private final Duration duration;
    private final List<Content> content;
    private final @Nullable Object structured;
    private final boolean error;

    private ToolResult(String toolName, Json json, String correlationId, Duration duration, Map<?, ?> members) {
        this.toolName = toolName;
        this.json = json;
        this.correlationId = correlationId;
        this.duration = duration;
        this.content = ContentCodec.contents(members.get("content"));
        this.structured = members.get("structuredContent");
        this.error = Boolean.TRUE.equals(members.get("isError"));
    }

    /**
     * Reads the {@code result} of {@code tools/call}.
     *
     * @throws ProtocolException if it is not an object
     */
    public static ToolResult parse(String toolName, String json, String correlationId, Duration duration) {
        var result = Json.parse(json);
        if (!(result.value() instanceof Map<?, ?> members)) {
            throw ProtocolException.upstreamInvalid("the result of tool '%s' must be an object".formatted(toolName));
        }
        return new ToolResult(toolName, result, correlationId, duration, members);
    }

    public String toolName() {
        return toolName;
    }

    /** The blocks in the server's order. */
    public List<Content> content() {
        return content;
    }

    /** The text blocks, joined by line ends. */
    public String text() {
        return content.stream()
                .filter(Content.Text.class::isInstance)
                .map(block -> ((Content.Text) block).text())
                .collect(Collectors.joining("\n"));
    }

    /** {@code structuredContent} as maps, lists, strings, {@code Long}, {@code BigDecimal} and booleans. */
    public Optional<Object> structuredContent() {
        return Optional.ofNullable(structured);
    }

    /** Whether the tool reports a failure. */
    public boolean isError() {
        return error;
    }

    /** The id that the caller gave, or that the bridge made for the call. */
    public String correlationId() {
        return correlationId;
    }

    /** The time from the call to its result, including all attempts. */
    public Duration duration() {
        return duration;
    }

    /** The whole result. */
    public Json json() {
        return json;
    }

    @Override
    public String toString() {
        return "result of %s (%s, %d blocks)".formatted(toolName, error ? "error" : "ok", content.size());
    }
}
