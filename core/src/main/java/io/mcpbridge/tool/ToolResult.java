package io.mcpbridge.tool;

import io.mcpbridge.failure.ProtocolException;
import io.mcpbridge.internal.json.RecordReader;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The result of a tool, made of maps, lists, strings, {@code Long}, {@code BigDecimal}, booleans and nulls, so that
 * Jackson and Gson write it with their default settings. It keeps what it is made of, without a copy: do not change that.
 *
 * <p>If {@code isError} is true, the tool reports a failure; failures of the call are exceptions.
 *
 * @param content the blocks in the server's order, each with all its members; {@link #blocks()} has types for them
 * @param structuredContent {@code structuredContent}, for which {@link #as} makes a record; null if there is none
 * @param isError whether the tool reports a failure
 * @param meta the member {@code _meta}; empty if there is none
 * @param otherMembers the members that this record does not name; empty if there are none
 * @param correlationId the id that the caller gave, or that the bridge made for the call
 * @param durationMillis the time from the call to its result, including all attempts; rounded up
 */
public record ToolResult(
        String toolName,
        List<Map<String, @Nullable Object>> content,
        @Nullable Object structuredContent,
        boolean isError,
        Map<String, @Nullable Object> meta,
        Map<String, @Nullable Object> otherMembers,
        String correlationId,
        long durationMillis) {

    /** {@code resultType} is {@code complete}, or the call has no result yet. */
    private static final Set<String> NAMED = Set.of("content", "structuredContent", "isError", "_meta", "resultType");

    public ToolResult {
        content = Collections.unmodifiableList(content);
        meta = Collections.unmodifiableMap(meta);
        otherMembers = Collections.unmodifiableMap(otherMembers);
    }

    /** The keys of a JSON object are strings. */
    @SuppressWarnings("unchecked")
    private static Map<String, @Nullable Object> members(Map<?, ?> object) {
        return (Map<String, @Nullable Object>) object;
    }

    /**
     * Reads the {@code result} of {@code tools/call}.
     *
     * @throws ProtocolException if it is not an object
     */
    public static ToolResult parse(String toolName, String json, String correlationId, Duration duration) {
        if (!(Json.parse(json).value() instanceof Map<?, ?> object)) {
            throw ProtocolException.upstreamInvalid("the result of tool '%s' must be an object".formatted(toolName));
        }
        var members = members(object);
        return new ToolResult(
                toolName,
                objects(members.get("content")),
                members.get("structuredContent"),
                Boolean.TRUE.equals(members.get("isError")),
                members.get("_meta") instanceof Map<?, ?> meta ? members(meta) : Map.of(),
                otherMembers(members),
                correlationId,
                duration.plusNanos(999_999).toMillis());
    }

    private static Map<String, @Nullable Object> otherMembers(Map<String, @Nullable Object> members) {
        if (NAMED.containsAll(members.keySet())) {
            return Map.of();
        }
        var others = new LinkedHashMap<>(members);
        others.keySet().removeAll(NAMED);
        return others;
    }

    private static List<Map<String, @Nullable Object>> objects(@Nullable Object list) {
        var objects = new ArrayList<Map<String, @Nullable Object>>();
        if (list instanceof List<?> elements) {
            for (var element : elements) {
                if (element instanceof Map<?, ?> object) {
                    objects.add(members(object));
                }
            }
        }
        return objects;
    }

    /** The blocks with their types. */
    public List<Content> blocks() {
        return ContentCodec.contents(content);
    }

    /** The text blocks, joined by line ends. */
    public String text() {
        return blocks().stream()
                .filter(Content.Text.class::isInstance)
                .map(block -> ((Content.Text) block).text())
                .collect(Collectors.joining("\n"));
    }

    /**
     * Makes a record of {@code structuredContent}, or of the text if that is a JSON object and there is no {@code
     * structuredContent}. An {@code Optional} component may be missing or null; members that the record does not have are
     * ignored.
     *
     * @throws ProtocolException if the result does not fit the record; the message names the tool, the member and what
     *     is wrong
     * @throws IllegalArgumentException if a component has a type without a JSON form, or the package of the record is
     *     not open to {@code io.mcpbridge.core}
     */
    public <R extends Record> R as(Class<R> type) {
        var reader = new RecordReader((path, why) -> mismatch(type, path.isEmpty() ? why : path + " " + why));
        return reader.read(
                type,
                object().orElseThrow(() ->
                        mismatch(type, "there is no 'structuredContent', and the text is not a JSON object")));
    }

    private Optional<Object> object() {
        if (structuredContent != null) {
            return Optional.of(structuredContent);
        }
        try {
            return Optional.<Object>ofNullable(Json.parse(text()).value()).filter(Map.class::isInstance);
        } catch (ProtocolException notJson) {
            return Optional.empty();
        }
    }

    private ProtocolException mismatch(Class<?> type, String why) {
        return ProtocolException.upstreamInvalid("the result of tool '%s'%s does not fit the record %s: %s"
                .formatted(toolName, isError ? ", which reports a failure," : "", type.getSimpleName(), why));
    }

    /** The time from the call to its result. */
    public Duration duration() {
        return Duration.ofMillis(durationMillis);
    }

    /** All members, in the form of the specification. */
    public Json json() {
        var members = new LinkedHashMap<String, Object>();
        members.put("content", content);
        if (structuredContent != null) {
            members.put("structuredContent", structuredContent);
        }
        if (isError) {
            members.put("isError", true);
        }
        if (!meta.isEmpty()) {
            members.put("_meta", meta);
        }
        members.putAll(otherMembers);
        return Json.of(members);
    }

    @Override
    public String toString() {
        return "result of %s (%s, %d blocks)".formatted(toolName, isError ? "error" : "ok", content.size());
    }
}
