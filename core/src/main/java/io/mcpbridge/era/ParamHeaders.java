package io.mcpbridge.era;

import io.mcpbridge.failure.ProtocolException;
import io.mcpbridge.internal.json.JsonCodec;
import io.mcpbridge.internal.json.LocatedJson;
import io.mcpbridge.message.JsonStrings;
import io.mcpbridge.message.MirroredHeaders;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * The arguments of a tool that modern HTTP requests repeat in headers, as {@code x-mcp-header} in its schema says.
 * Immutable. The values are not encoded; {@link MirroredHeaders} encodes and decodes them.
 */
public final class ParamHeaders {
    /** The prefix of each header's name. */
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
     * @throws ProtocolException if an annotation breaks the specification; the tool cannot be called over HTTP then
     */
    public static ParamHeaders of(String inputSchema) {
        // Almost no tool has annotations, and a text search costs less than parsing.
        if (!inputSchema.contains(ANNOTATION)) {
            return NONE;
        }
        return new ParamHeaders(ParamAnnotations.in(JsonCodec.read(inputSchema)));
    }

    /**
     * The first invalid {@code x-mcp-header} in a tool's {@code inputSchema}, as an error message; empty if there is
     * none.
     */
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
     * The headers for a call with these arguments, and their texts. An argument that is absent or null has no header.
     *
     * @param arguments the raw JSON of {@code params.arguments}
     * @throws ProtocolException if the arguments have a duplicate key
     */
    public Map<String, String> texts(String arguments) {
        var texts = values(arguments);
        texts.replaceAll((header, raw) -> text(raw));
        return texts;
    }

    /**
     * Like {@link #texts}, but with the raw JSON of each argument.
     *
     * @throws ProtocolException if the arguments have a duplicate key
     */
    public Map<String, String> values(String arguments) {
        var values = new LinkedHashMap<String, String>();
        for (var param : params) {
            value(arguments, param.path()).ifPresent(raw -> values.put(param.header(), raw));
        }
        return values;
    }

    /** The names of all headers that calls of the tool can have. */
    public List<String> names() {
        return params.stream().map(Param::header).toList();
    }

    private static Optional<String> value(String arguments, List<String> path) {
        var raw = arguments;
        for (var key : path) {
            if (!raw.startsWith("{")) {
                return Optional.empty();
            }
            raw = JsonCodec.rawMembers(raw).getOrDefault(key, "null");
        }
        return raw.equals("null") ? Optional.empty() : Optional.of(raw);
    }

    /** The header text of an argument with this raw JSON. */
    public static String text(String raw) {
        return raw.startsWith("\"") ? JsonStrings.decode(raw) : raw;
    }

    /**
     * An argument that is repeated in a header.
     *
     * @param path the keys that lead to it
     * @param header the full name of its header
     */
    record Param(List<String> path, String header) {}

    /** Collects the {@code x-mcp-header} annotations of one schema, and rejects invalid ones. Used for one schema. */
    private static final class ParamAnnotations {
        private static final Pattern TOKEN = Pattern.compile("[!#$%&'*+.^_`|~0-9A-Za-z-]+");
        private static final Set<String> TYPES = Set.of("string", "integer", "boolean");

        /** Keywords whose values are data rather than schemas. */
        private static final Set<String> DATA = Set.of("default", "const", "enum", "examples");

        /** Keywords whose members have names that the author of the schema chose. */
        private static final Set<String> NAMED =
                Set.of("properties", "patternProperties", "$defs", "definitions", "dependentSchemas");

        private final List<Param> found = new ArrayList<>();
        private final Set<String> names = new HashSet<>();

        private ParamAnnotations() {}

        static List<Param> in(LocatedJson schema) {
            var annotations = new ParamAnnotations();
            annotations.walk(schema, List.of(), true);
            return annotations.found;
        }

        /** @param isArgument whether the schema describes exactly one argument, the one at {@code path} */
        private void walk(LocatedJson schema, List<String> path, boolean isArgument) {
            var members = schema.members();
            var annotation = members.get(ParamHeaders.ANNOTATION);
            if (annotation != null) {
                note(annotation, members, path, isArgument);
            }
            members.forEach((keyword, value) -> {
                if (NAMED.contains(keyword)) {
                    var isProperty = isArgument && keyword.equals("properties");
                    value.members()
                            .forEach((name, inner) -> walk(inner, isProperty ? with(path, name) : path, isProperty));
                } else if (!DATA.contains(keyword) && !keyword.equals(ParamHeaders.ANNOTATION)) {
                    walk(value, path, false);
                    value.elements().forEach(element -> walk(element, path, false));
                }
            });
        }

        private void note(
                LocatedJson annotation, Map<String, LocatedJson> members, List<String> path, boolean isArgument) {
            if (!(annotation.value() instanceof String name)
                    || !TOKEN.matcher(name).matches()) {
                throw invalid("must be a header's name, but is '%s'".formatted(annotation.value()));
            }
            if (!isArgument || path.isEmpty()) {
                throw invalid("'%s' stands where it belongs to no single argument".formatted(name));
            }
            var type = members.get("type");
            if (type == null || !(type.value() instanceof String text) || !TYPES.contains(text)) {
                throw invalid("'%s' needs a 'type' of string, integer or boolean".formatted(name));
            }
            if (!names.add(name.toLowerCase(Locale.ROOT))) {
                throw invalid("'%s' is there twice".formatted(name));
            }
            found.add(new Param(path, ParamHeaders.PREFIX + name));
        }

        private static List<String> with(List<String> path, String name) {
            var longer = new ArrayList<>(path);
            longer.add(name);
            return List.copyOf(longer);
        }

        private static ProtocolException invalid(String words) {
            return ProtocolException.upstreamInvalid(
                    "'%s' in 'inputSchema' %s".formatted(ParamHeaders.ANNOTATION, words));
        }
    }
}
