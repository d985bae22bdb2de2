package io.mcpbridge.engine.translation;

import io.mcpbridge.internal.json.JsonCodec;
import io.mcpbridge.message.Methods;
import java.util.Collection;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * A capability that a client must have declared before a server may send it a request.
 *
 * @param name such as {@code elicitation}
 * @param detail the required member of it, such as {@code url}, or the empty string
 */
record RequiredCapability(String name, String detail) {
    /** What a request needs; empty if servers do not send requests of this method. */
    static Optional<RequiredCapability> of(String method, String params) {
        return switch (method) {
            case Methods.ELICITATION_CREATE ->
                Optional.of(new RequiredCapability("elicitation", isUrlMode(params) ? "url" : "form"));
            case Methods.SAMPLING_CREATE_MESSAGE ->
                Optional.of(new RequiredCapability("sampling", usesTools(params) ? "tools" : ""));
            case Methods.ROOTS_LIST -> Optional.of(new RequiredCapability("roots", ""));
            default -> Optional.empty();
        };
    }

    private static boolean isUrlMode(String params) {
        return "\"url\"".equals(JsonCodec.rawMembers(params).get("mode"));
    }

    private static boolean usesTools(String params) {
        var members = JsonCodec.rawMembers(params);
        return members.containsKey("tools") || members.containsKey("toolChoice");
    }

    /** Whether these capabilities, raw JSON, include it. */
    boolean isIn(String capabilities) {
        var declared = JsonCodec.rawMembers(capabilities).getOrDefault(name, "");
        if (!declared.startsWith("{")) {
            return false;
        }
        var details = JsonCodec.rawMembers(declared);
        // Before there were modes, a bare declaration meant forms.
        var isImplied = detail.equals("form") && !details.containsKey("url");
        return detail.isEmpty() || details.containsKey(detail) || isImplied;
    }

    /** The capabilities as JSON, in the form of {@code requiredCapabilities}. */
    static String json(Collection<RequiredCapability> required) {
        Map<String, Set<String>> details = new TreeMap<>();
        for (var capability : required) {
            var known = details.computeIfAbsent(capability.name, absent -> new TreeSet<>());
            if (!capability.detail.isEmpty()) {
                known.add(capability.detail);
            }
        }
        return details.entrySet().stream()
                .map(entry -> "\"" + entry.getKey() + "\":" + object(entry.getValue()))
                .collect(Collectors.joining(",", "{", "}"));
    }

    private static String object(Set<String> keys) {
        return keys.stream().map(key -> "\"" + key + "\":{}").collect(Collectors.joining(",", "{", "}"));
    }

    /** The form for messages: {@code elicitation.url}. */
    @Override
    public String toString() {
        return detail.isEmpty() ? name : name + "." + detail;
    }
}
