package io.mcpbridge.downstream.listening;

import io.mcpbridge.era.ListChange;
import io.mcpbridge.failure.ErrorCode;
import io.mcpbridge.failure.ProtocolException;
import io.mcpbridge.internal.json.Json;
import io.mcpbridge.message.JsonText;
import io.mcpbridge.message.Methods;
import io.mcpbridge.message.Notification;
import io.mcpbridge.message.Part;
import io.mcpbridge.message.Request;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.StringJoiner;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * What one {@code subscriptions/listen} wants to hear.
 *
 * @param changes the lists whose changes are wanted
 * @param resources the resources whose updates are wanted
 */
record ClientListenFilter(Set<ListChange> changes, Set<String> resources) {
    /** So that one request does not become a thousand to servers at once. */
    static final int MOST_RESOURCES = 256;

    private static final String RESOURCES = "resourceSubscriptions";

    ClientListenFilter {
        changes = Set.copyOf(changes);
    }

    /**
     * Reads {@code params.notifications}.
     *
     * @throws ProtocolException if that is not what the specification wants there
     */
    static ClientListenFilter read(Request listen) {
        var params = Json.rawMembers(listen.raw(Part.PARAMS).orElse("{}"));
        var raw = params.getOrDefault("notifications", "");
        if (!raw.startsWith("{")) {
            throw invalid("'notifications' to be an object, {} for nothing", raw);
        }
        var members = Json.rawMembers(raw);
        var changes = Stream.of(ListChange.values())
                .filter(change -> isWanted(change.filterKey(), members.getOrDefault(change.filterKey(), "false")))
                .collect(Collectors.toSet());
        return new ClientListenFilter(changes, resources(members.getOrDefault(RESOURCES, "[]")));
    }

    private static boolean isWanted(String key, String raw) {
        if (!raw.equals("true") && !raw.equals("false")) {
            throw invalid("'notifications.%s' to be true or false".formatted(key), raw);
        }
        return raw.equals("true");
    }

    private static Set<String> resources(String raw) {
        List<String> elements = raw.startsWith("[") ? Json.rawElements(raw) : List.of(raw);
        if (!raw.startsWith("[") || !elements.stream().allMatch(uri -> uri.startsWith("\""))) {
            throw invalid("'notifications.%s' to be an array of texts".formatted(RESOURCES), raw);
        }
        var uris = elements.stream().map(JsonText::decode).collect(Collectors.toCollection(LinkedHashSet::new));
        if (uris.size() > MOST_RESOURCES) {
            throw invalid(
                    "'notifications.%s' to name %d resources at the most".formatted(RESOURCES, MOST_RESOURCES),
                    Integer.toString(uris.size()));
        }
        return uris;
    }

    /** The same for these resources only. */
    ClientListenFilter withResources(Collection<String> uris) {
        return new ClientListenFilter(changes, new LinkedHashSet<>(uris));
    }

    /** Whether a message of a server is among what is wanted; resources are told apart elsewhere. */
    boolean wants(Notification notification) {
        return notification.method().equals(Methods.RESOURCES_UPDATED)
                ? !resources.isEmpty()
                : changes.stream().anyMatch(change -> change.isToldBy(notification));
    }

    boolean isEmpty() {
        return changes.isEmpty() && resources.isEmpty();
    }

    /** As it is acknowledged, raw JSON. */
    String json() {
        var json = new StringJoiner(",", "{", "}");
        changes.stream().map(ListChange::filterKey).sorted().forEach(key -> json.add("\"" + key + "\":true"));
        if (!resources.isEmpty()) {
            var uris = resources.stream().map(JsonText::quote).collect(Collectors.joining(",", "[", "]"));
            json.add("\"" + RESOURCES + "\":" + uris);
        }
        return json.toString();
    }

    private static ProtocolException invalid(String rule, String found) {
        var cut = found.length() <= 100 ? found : found.substring(0, 100) + "…";
        return ProtocolException.malformed(
                ErrorCode.INVALID_PARAMS,
                "'subscriptions/listen' needs %s, but has %s".formatted(rule, cut.isEmpty() ? "none" : cut));
    }
}
