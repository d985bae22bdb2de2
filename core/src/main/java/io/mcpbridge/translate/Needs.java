package io.mcpbridge.translate;

import io.mcpbridge.internal.json.Json;
import io.mcpbridge.message.Methods;
import java.util.Collection;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * The capability that a client must have declared to be asked something.
 *
 * @param capability such as {@code elicitation}
 * @param detail the member of it that is needed too, such as {@code url}, or the empty string
 */
record Needs(String capability, String detail) {
    /** What asking {@code method} needs; empty if it is nothing that servers ask. */
    static Optional<Needs> of(String method, String params) {
        return switch (method) {
            case Methods.ELICITATION_CREATE ->
                Optional.of(new Needs("elicitation", isUrlMode(params) ? "url" : "form"));
            case Methods.SAMPLING_CREATE_MESSAGE ->
                Optional.of(new Needs("sampling", usesTools(params) ? "tools" : ""));
            case Methods.ROOTS_LIST -> Optional.of(new Needs("roots", ""));
            default -> Optional.empty();
        };
    }

    static boolean isUrlMode(String params) {
        return "\"url\"".equals(Json.rawMembers(params).get("mode"));
    }

    private static boolean usesTools(String params) {
        var members = Json.rawMembers(params);
        return members.containsKey("tools") || members.containsKey("toolChoice");
    }

    /** Whether these capabilities, raw JSON, have it. */
    boolean isMetBy(String capabilities) {
        var declared = Json.rawMembers(capabilities).getOrDefault(capability, "");
        if (!declared.startsWith("{")) {
            return false;
        }
        var details = Json.rawMembers(declared);
        // Before there were modes, a bare declaration meant forms.
        var isImplied = detail.equals("form") && !details.containsKey("url");
        return detail.isEmpty() || details.containsKey(detail) || isImplied;
    }

    /** The capabilities as JSON, the way {@code requiredCapabilities} lists them. */
    static String json(Collection<Needs> needed) {
        Map<String, Set<String>> details = new TreeMap<>();
        for (var need : needed) {
            var known = details.computeIfAbsent(need.capability(), absent -> new TreeSet<>());
            if (!need.detail().isEmpty()) {
                known.add(need.detail());
            }
        }
        return details.entrySet().stream()
                .map(entry -> "\"" + entry.getKey() + "\":" + object(entry.getValue()))
                .collect(Collectors.joining(",", "{", "}"));
    }

    private static String object(Set<String> keys) {
        return keys.stream().map(key -> "\"" + key + "\":{}").collect(Collectors.joining(",", "{", "}"));
    }

    /** As it is written in messages for people: {@code elicitation.url}. */
    @Override
    public String toString() {
        return detail.isEmpty() ? capability : capability + "." + detail;
    }
}
