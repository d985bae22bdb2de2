package io.mcpbridge.era;

import io.mcpbridge.failure.ProtocolException;
import io.mcpbridge.internal.json.JsonCodec;
import io.mcpbridge.internal.json.LocatedJson;
import io.mcpbridge.message.HeaderText;
import io.mcpbridge.message.JsonStrings;
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
 * Which arguments of a tool modern HTTP requests repeat in headers, as its schema says with {@code x-mcp-header}.
 * Immutable; the values here are the texts themselves, which {@link HeaderText} writes and reads.
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
     * @throws ProtocolException if it annotates something that the specification forbids; the tool cannot be used over
     *     HTTP then
     */
    public static ParamHeaders of(String inputSchema) {
        // Nearly no tool has any, and a look costs less than a reading.
        if (!inputSchema.contains(ANNOTATION)) {
            return NONE;
        }
        return new ParamHeaders(ParamAnnotations.in(JsonCodec.read(inputSchema)));
    }

    /** The first mistake about headers in a tool's {@code inputSchema}; empty if there is none. */
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
            raw = JsonCodec.rawMembers(raw).getOrDefault(key, "null");
        }
        return raw.equals("null") ? Optional.empty() : Optional.of(raw);
    }

    /** The text that stands in a header for an argument with this raw JSON. */
    public static String text(String raw) {
        return raw.startsWith("\"") ? JsonStrings.decode(raw) : raw;
    }

    /**
     * One argument.
     *
     * @param path the keys that lead to it
     * @param header the whole name of its header
     */
    record Param(List<String> path, String header) {}

    /** Looks for {@code x-mcp-header} in one schema, and refuses it where it may not stand. For one reading. */
    private static final class ParamAnnotations {
        private static final Pattern TOKEN = Pattern.compile("[!#$%&'*+.^_`|~0-9A-Za-z-]+");
        private static final Set<String> TYPES = Set.of("string", "integer", "boolean");

        /** Keywords whose values are data and no schemas. */
        private static final Set<String> DATA = Set.of("default", "const", "enum", "examples");

        /** Keywords whose members are named by the author of the schema. */
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

        /** @param isArgument whether the schema describes just one argument, which {@code path} leads to */
        private void walk(LocatedJson schema, List<String> path, boolean isArgument) {
            var members = schema.members();
            var annotation = members.get(ParamHeaders.ANNOTATION);
            if (annotation != null) {
                note(annotation, members, path, isArgument);
            }
            members.forEach((keyword, value) -> {
                if (NAMED.contains(keyword)) {
                    var goesOn = isArgument && keyword.equals("properties");
                    value.members().forEach((name, inner) -> walk(inner, goesOn ? with(path, name) : path, goesOn));
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
