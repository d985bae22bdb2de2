package io.mcpbridge.upstream.listening;

import io.mcpbridge.internal.json.Json;
import io.mcpbridge.message.JsonText;
import io.mcpbridge.message.Methods;
import io.mcpbridge.message.Notification;
import io.mcpbridge.upstream.introduction.ServerProfile;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * What a {@code subscriptions/listen} asks to hear of.
 *
 * @param kinds the lists whose changes are of interest, by their names in the protocol
 * @param uris the resources whose changes are of interest
 */
record ListenFilter(Set<String> kinds, Set<String> uris) {
    static final ListenFilter NOTHING = new ListenFilter(Set.of(), Set.of());

    private static final Map<String, String> CHANGES = changes();

    ListenFilter {
        kinds = Set.copyOf(kinds);
        uris = Set.copyOf(uris);
    }

    /** The lists of which a server says that it tells their changes. */
    static Set<String> kindsOf(ServerProfile profile) {
        var declared = Json.rawMembers(profile.capabilities());
        return CHANGES.keySet().stream()
                .filter(kind -> tells(declared.getOrDefault(kind, "")))
                .collect(Collectors.toUnmodifiableSet());
    }

    private static boolean tells(String declared) {
        return declared.startsWith("{")
                && "true".equals(Json.rawMembers(declared).get("listChanged"));
    }

    /** What a server says that it honours, the value of {@code notifications} in its acknowledgement. */
    static ListenFilter read(String json) {
        var members = Json.rawMembers(json);
        var kinds = CHANGES.keySet().stream()
                .filter(kind -> "true".equals(members.get(kind + "ListChanged")))
                .collect(Collectors.toUnmodifiableSet());
        var uris = Json.rawElements(members.getOrDefault("resourceSubscriptions", "[]")).stream()
                .filter(raw -> raw.startsWith("\""))
                .map(JsonText::decode)
                .collect(Collectors.toUnmodifiableSet());
        return new ListenFilter(kinds, uris);
    }

    boolean isEmpty() {
        return kinds.isEmpty() && uris.isEmpty();
    }

    /** The params of the request. */
    String params() {
        var members = new ArrayList<String>();
        CHANGES.keySet().stream()
                .filter(kinds::contains)
                .forEach(kind -> members.add("\"%sListChanged\":true".formatted(kind)));
        if (!uris.isEmpty()) {
            members.add(uris.stream()
                    .sorted()
                    .map(JsonText::quote)
                    .collect(Collectors.joining(",", "\"resourceSubscriptions\":[", "]")));
        }
        return "{\"notifications\":{%s}}".formatted(String.join(",", members));
    }

    /** What may have been missed while nobody listened, as the server would have told it. */
    List<Notification> missed() {
        return CHANGES.keySet().stream()
                .filter(kinds::contains)
                .map(kind -> Notification.of(CHANGES.getOrDefault(kind, "")))
                .toList();
    }

    private static Map<String, String> changes() {
        var changes = new LinkedHashMap<String, String>();
        changes.put("tools", Methods.TOOLS_LIST_CHANGED);
        changes.put("prompts", Methods.PROMPTS_LIST_CHANGED);
        changes.put("resources", Methods.RESOURCES_LIST_CHANGED);
        return java.util.Collections.unmodifiableMap(changes);
    }
}
