package io.mcpbridge.era;

import io.mcpbridge.era.ParamHeaders.Param;
import io.mcpbridge.failure.ProtocolException;
import io.mcpbridge.internal.json.JsonNode;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;

/** Looks for {@code x-mcp-header} in one schema, and refuses it where it may not stand. For one reading. */
final class ParamAnnotations {
    private static final Pattern TOKEN = Pattern.compile("[!#$%&'*+.^_`|~0-9A-Za-z-]+");
    private static final Set<String> TYPES = Set.of("string", "integer", "boolean");

    /** Keywords whose values are data and no schemas. */
    private static final Set<String> DATA = Set.of("default", "const", "enum", "examples");

    /** Keywords whose members are named by whoever wrote the schema. */
    private static final Set<String> NAMED =
            Set.of("properties", "patternProperties", "$defs", "definitions", "dependentSchemas");

    private final List<Param> found = new ArrayList<>();
    private final Set<String> names = new HashSet<>();

    private ParamAnnotations() {}

    static List<Param> in(JsonNode schema) {
        var annotations = new ParamAnnotations();
        annotations.walk(schema, List.of(), true);
        return annotations.found;
    }

    /** @param isArgument whether the schema describes just one argument, which {@code path} leads to */
    private void walk(JsonNode schema, List<String> path, boolean isArgument) {
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

    private void note(JsonNode annotation, Map<String, JsonNode> members, List<String> path, boolean isArgument) {
        if (!(annotation.value() instanceof String name) || !TOKEN.matcher(name).matches()) {
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
        return ProtocolException.upstreamInvalid("'%s' in 'inputSchema' %s".formatted(ParamHeaders.ANNOTATION, words));
    }
}
