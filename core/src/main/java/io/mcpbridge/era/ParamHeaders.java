package io.mcpbridge.era;

import io.mcpbridge.failure.ProtocolException;
import io.mcpbridge.internal.json.Json;
import io.mcpbridge.message.JsonText;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Which arguments of a tool modern HTTP requests repeat in headers, as its schema says with {@code x-mcp-header}.
 * Immutable; the values here are the texts themselves, which {@link HeaderText} writes and reads.
 */
public final class ParamHeaders {
    /** What the name of each header begins with. */
    public static final String PREFIX = "Mcp-Param-";

    static final String ANNOTATION = "x-mcp-header";

    private static final ParamHeaders NONE = new ParamHeaders(List.of());

    private final List<Param> params;

    private ParamHeaders(List<Param> params) {
        this.params = List.copyOf(params);
    }

    /**
     * Reads a tool's {@code inputSchema}.
     *
     * @throws ProtocolException if it annotates something that the specification forbids; the tool cannot be used over
     *     HTTP then
     */
    public static ParamHeaders of(String inputSchema) {
        // Nearly no tool has any, and a look costs less than a reading.
        if (!inputSchema.contains(ANNOTATION)) {
            return NONE;
        }
        return new ParamHeaders(ParamAnnotations.in(Json.read(inputSchema)));
    }

    /** What of a tool's {@code inputSchema} says something wrong about headers; empty where nothing does. */
    public static Optional<String> flaw(String inputSchema) {
        try {
            of(inputSchema);
            return Optional.empty();
        } catch (ProtocolException wrong) {
            return Optional.of(wrong.failure().message());
        }
    }

    public boolean isEmpty() {
        return params.isEmpty();
    }

    /**
     * The headers for a call with these arguments, and the text of each; none for an argument that is absent or null.
     *
     * @param arguments the raw JSON of {@code params.arguments}
     * @throws ProtocolException if they name something twice
     */
    public Map<String, String> texts(String arguments) {
        var texts = values(arguments);
        texts.replaceAll((header, raw) -> text(raw));
        return texts;
    }

    /**
     * The same before they become texts: the raw JSON of the argument for each header.
     *
     * @throws ProtocolException if the arguments name something twice
     */
    public Map<String, String> values(String arguments) {
        var values = new LinkedHashMap<String, String>();
        for (var param : params) {
            value(arguments, param.path()).ifPresent(raw -> values.put(param.header(), raw));
        }
        return values;
    }

    /** All headers that calls of the tool can have. */
    public List<String> names() {
        return params.stream().map(Param::header).toList();
    }

    private static Optional<String> value(String arguments, List<String> path) {
        var raw = arguments;
        for (var key : path) {
            if (!raw.startsWith("{")) {
                return Optional.empty();
            }
            raw = Json.rawMembers(raw).getOrDefault(key, "null");
        }
        return raw.equals("null") ? Optional.empty() : Optional.of(raw);
    }

    /** The text that stands in a header for an argument with this raw JSON. */
    public static String text(String raw) {
        return raw.startsWith("\"") ? JsonText.decode(raw) : raw;
    }

    /**
     * One argument.
     *
     * @param path the keys that lead to it
     * @param header the whole name of its header
     */
    record Param(List<String> path, String header) {}
}
