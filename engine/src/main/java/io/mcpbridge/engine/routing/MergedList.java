package io.mcpbridge.engine.routing;

import io.mcpbridge.config.ToolNaming;
import io.mcpbridge.engine.routing.RoutingTable.OwnName;
import io.mcpbridge.engine.upstream.lists.ListKind;
import io.mcpbridge.failure.VisibleText;
import io.mcpbridge.internal.definition.ToolNameRule;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;

/**
 * The merged list of one kind of all servers, under the keys that clients see. Immutable.
 *
 * @param exposed the elements by these keys, servers in the order of the configuration
 * @param owners the server and own name of each key
 * @param leftOut messages about elements that are omitted because of a name conflict or the rule for names
 * @param missing the servers whose list is missing
 */
record MergedList<T>(Map<String, T> exposed, Map<String, OwnName> owners, List<String> leftOut, List<String> missing) {

    /** The most characters of a name in messages. */
    private static final int LONGEST_NAME = 200;

    /**
     * Merges the lists of the servers. Omits a name that two servers have. A URI cannot be renamed, so it belongs to
     * the first server that has it.
     */
    static <T> MergedList<T> of(ListKind<T> kind, RoutingTable routes, Map<String, List<T>> answers) {
        var merged = new MergedList<T>(new LinkedHashMap<>(), new HashMap<>(), new ArrayList<>(), new ArrayList<>());
        var clashes = new ArrayList<String>();
        for (var route : routes.all()) {
            if (!answers.containsKey(route.server())) {
                merged.missing.add(route.server());
            }
            for (var item : answers.getOrDefault(route.server(), List.of())) {
                merged.add(kind, routes.names(), route, item).ifPresent(clashes::add);
            }
        }
        if (isNamed(kind)) {
            merged.exposed.keySet().removeAll(clashes);
            merged.owners.keySet().removeAll(clashes);
        }
        return merged;
    }

    private static boolean isNamed(ListKind<?> kind) {
        return kind == ListKind.TOOLS || kind == ListKind.PROMPTS;
    }

    /** Returns the list without the elements that the filter excludes. */
    MergedList<T> only(Predicate<String> filter) {
        if (exposed.keySet().stream().allMatch(filter)) {
            return this;
        }
        var kept = new LinkedHashMap<>(exposed);
        kept.keySet().removeIf(filter.negate());
        return new MergedList<>(kept, owners, leftOut, missing);
    }

    Optional<OwnName> owner(String key) {
        return Optional.ofNullable(owners.get(key));
    }

    /** Adds an element; returns its key if another server has it already. */
    private Optional<String> add(ListKind<T> kind, ToolNaming names, ServerRoute route, T item) {
        var own = new OwnName(route.server(), kind.key(item));
        var key = route.expose(kind, names, own.name());
        if (key.isEmpty()) {
            var words =
                    "the %s '%s' of server '%s' is left out, since clients would see it as '%s', which breaks the rule"
                            + " %s";
            leftOut.add(words.formatted(
                    kind.word(),
                    shown(own.name()),
                    own.server(),
                    shown(names.join(route.upstream().settings(), own.name())),
                    ToolNameRule.RULE));
            return Optional.empty();
        }
        var other = owners.putIfAbsent(key.get(), own);
        if (other == null) {
            exposed.put(key.get(), key.get().equals(own.name()) ? item : kind.renamed(item, key.get()));
            return Optional.empty();
        }
        var words = isNamed(kind)
                ? "the %s '%s' is left out, of server '%s' as of server '%s', since both have it"
                : "the %s '%s' of server '%s' is left out, since server '%s' has it too";
        leftOut.add(words.formatted(kind.word(), shown(own.name()), own.server(), other.server()));
        return key;
    }

    private static String shown(String name) {
        return VisibleText.beginning(name, LONGEST_NAME);
    }
}
