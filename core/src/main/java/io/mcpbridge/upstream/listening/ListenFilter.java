package io.mcpbridge.upstream.listening;

import io.mcpbridge.era.ListChange;
import io.mcpbridge.internal.json.Json;
import io.mcpbridge.message.JsonText;
import io.mcpbridge.message.Notification;
import io.mcpbridge.upstream.introduction.ServerProfile;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * What a {@code subscriptions/listen} asks to hear of.
 *
 * @param kinds the lists whose changes are of interest
 * @param uris the resources whose changes are of interest
 */
record ListenFilter(Set<ListChange> kinds, Set<String> uris) {
    static final ListenFilter NOTHING = new ListenFilter(Set.of(), Set.of());

    ListenFilter {
        kinds = Set.copyOf(kinds);
        uris = Set.copyOf(uris);
    }

    /** The lists of which a server says that it tells their changes. */
    static Set<ListChange> kindsOf(ServerProfile profile) {
        var declared = Json.rawMembers(profile.capabilities());
        return Stream.of(ListChange.values())
                .filter(kind -> tells(declared.getOrDefault(kind.capability(), "")))
                .collect(Collectors.toUnmodifiableSet());
    }

    private static boolean tells(String declared) {
        return declared.startsWith("{")
                && "true".equals(Json.rawMembers(declared).get("listChanged"));
    }

    /** What a server says that it honours, the value of {@code notifications} in its acknowledgement. */
    static ListenFilter read(String json) {
        var members = Json.rawMembers(json);
        var kinds = Stream.of(ListChange.values())
                .filter(kind -> "true".equals(members.get(kind.filterKey())))
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
        Stream.of(ListChange.values())
                .filter(kinds::contains)
                .forEach(kind -> members.add("\"%s\":true".formatted(kind.filterKey())));
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
        return Stream.of(ListChange.values())
                .filter(kinds::contains)
                .map(ListChange::notification)
                .toList();
    }
}
