package io.mcpbridge.downstream.registry;

import io.mcpbridge.internal.json.Json;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.StringJoiner;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * What a client can be asked, written anew from what the specification knows, since sessions of servers are kept by
 * this text. Pure.
 */
final class AskableCapabilities {

    /** What a client can be asked, and what it can say about that, in the order of the canonical form. */
    private static final Map<String, List<String>> ASKABLE = inOrder();

    private AskableCapabilities() {}

    /**
     * The canonical form of what was declared.
     *
     * @throws io.mcpbridge.failure.ProtocolException if it is no object, or names something twice
     */
    static String of(String declared) {
        if (declared.equals("{}")) {
            return declared;
        }
        var capabilities = Json.rawMembers(declared);
        var canonical = new StringJoiner(",", "{", "}");
        ASKABLE.forEach((key, details) -> {
            var raw = capabilities.getOrDefault(key, "");
            if (isObject(raw)) {
                canonical.add("\"" + key + "\":" + details(raw, details));
            }
        });
        return canonical.toString();
    }

    private static String details(String raw, List<String> known) {
        var said = Json.rawMembers(raw);
        return known.stream()
                .flatMap(key -> detail(key, said.getOrDefault(key, "")))
                .collect(Collectors.joining(",", "{", "}"));
    }

    private static Stream<String> detail(String key, String raw) {
        if (key.equals("listChanged")) {
            return raw.equals("true") ? Stream.of("\"listChanged\":true") : Stream.empty();
        }
        return isObject(raw) ? Stream.of("\"" + key + "\":{}") : Stream.empty();
    }

    private static boolean isObject(String raw) {
        return raw.startsWith("{");
    }

    private static Map<String, List<String>> inOrder() {
        var askable = new LinkedHashMap<String, List<String>>();
        askable.put("elicitation", List.of("form", "url"));
        askable.put("roots", List.of("listChanged"));
        askable.put("sampling", List.of("context", "tools"));
        return Collections.unmodifiableMap(askable);
    }
}
