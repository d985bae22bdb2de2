package io.mcpbridge.engine.upstream.lists;

import io.mcpbridge.engine.upstream.connection.UpstreamParts;
import io.mcpbridge.event.BridgeEvent;
import io.mcpbridge.spi.ToolCatalog;
import io.mcpbridge.tool.ToolDefinition;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The last list of one kind that a server delivered: in memory or, for tools, in the catalog. Any thread may read; one
 * thread at a time may replace.
 */
interface ListCache<T> {

    /** The elements in the order of the server; empty before the first {@link #replace}. */
    List<T> items();

    Optional<T> find(String key);

    /**
     * Replaces the elements; returns whether there were others before.
     *
     * @param cause the correlation id of the load
     */
    boolean replace(List<T> listed, String cause);

    void clear();

    final class InMemory<T> implements ListCache<T> {
        private final ListKind<T> kind;
        private volatile @Nullable Map<String, T> items;

        InMemory(ListKind<T> kind) {
            this.kind = kind;
        }

        @Override
        public List<T> items() {
            return List.copyOf(byKey().values());
        }

        @Override
        public Optional<T> find(String key) {
            return Optional.ofNullable(byKey().get(key));
        }

        @Override
        public boolean replace(List<T> listed, String cause) {
            var before = items;
            var now = new LinkedHashMap<String, T>();
            listed.forEach(item -> now.put(kind.key(item), item));
            items = Collections.unmodifiableMap(now);
            return before != null && !List.copyOf(before.values()).equals(listed);
        }

        @Override
        public void clear() {
            items = null;
        }

        private Map<String, T> byKey() {
            var current = items;
            return current == null ? Map.of() : current;
        }
    }

    /** Keeps tools in the catalog, and publishes what a load found or changed. */
    final class InCatalog implements ListCache<ToolDefinition> {
        private final UpstreamParts parts;
        private final String name;

        private volatile boolean wasReplaced;
        private volatile ServerOrder order = new ServerOrder(List.of());

        /** @param name the server's name in the catalog */
        InCatalog(UpstreamParts parts, String name) {
            this.parts = parts;
            this.name = name;
        }

        @Override
        public List<ToolDefinition> items() {
            return order.of(parts.catalog().snapshot().tools().getOrDefault(name, List.of()));
        }

        @Override
        public Optional<ToolDefinition> find(String tool) {
            return parts.catalog().snapshot().find(name, tool);
        }

        @Override
        public boolean replace(List<ToolDefinition> all, String cause) {
            var filter = parts.settings().toolFilter();
            var listed = all.stream().filter(tool -> filter.admits(tool.name())).toList();
            var change = parts.catalog().update(name, listed);
            order = new ServerOrder(listed);
            var isFirst = !wasReplaced;
            wasReplaced = true;
            parts.events().publish(isFirst ? discovered(cause) : refreshed(change, cause));
            return !isFirst && !change.isEmpty();
        }

        @Override
        public void clear() {
            parts.catalog().remove(name);
        }

        /** Names those of the listed tools that the catalog has accepted, in the order of the server. */
        private BridgeEvent discovered(String cause) {
            var names = items().stream().map(ToolDefinition::name).toList();
            return new BridgeEvent.ToolsDiscovered(parts.name(), cause, names.size(), names);
        }

        private BridgeEvent refreshed(ToolCatalog.Change change, String cause) {
            return new BridgeEvent.ToolsRefreshed(
                    parts.name(), cause, change.added(), change.removed(), change.unchanged());
        }

        /** The order in which a server listed its tools; a catalog keeps them in the order of their names. */
        private static final class ServerOrder {
            private final Map<String, Integer> positions = new HashMap<>();
            private volatile Sorted last = new Sorted(List.of(), List.of());

            /** The tools of the catalog, and the same in the order of the server. */
            private record Sorted(List<ToolDefinition> byName, List<ToolDefinition> byPosition) {}

            private ServerOrder(List<ToolDefinition> listed) {
                listed.forEach(tool -> positions.putIfAbsent(tool.name(), positions.size()));
            }

            /** Sorts the tools; returns the same object as before for the same list of the catalog. */
            @SuppressWarnings("ReferenceEquality")
            private List<ToolDefinition> of(List<ToolDefinition> byName) {
                var sorted = last;
                if (sorted.byName != byName) {
                    var position = Comparator.comparing(
                            (ToolDefinition tool) -> positions.getOrDefault(tool.name(), Integer.MAX_VALUE));
                    sorted = new Sorted(byName, byName.stream().sorted(position).toList());
                    last = sorted;
                }
                return sorted.byPosition;
            }
        }
    }
}
