package io.mcpbridge.upstream.lists;

import io.mcpbridge.event.BridgeEvent;
import io.mcpbridge.spi.ToolCatalog;
import io.mcpbridge.tool.ToolDefinition;
import io.mcpbridge.upstream.ListSource;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Keeps a list of tools in the catalog, and publishes what a listing found or changed. */
final class CatalogShelf implements Shelf<ToolDefinition> {
    private final ListSource source;
    private final String place;
    private volatile boolean wasUpdated;

    /** @param place the server's name in the catalog */
    CatalogShelf(ListSource source, String place) {
        this.source = source;
        this.place = place;
    }

    @Override
    public List<ToolDefinition> items() {
        return catalog().snapshot().tools().getOrDefault(place, List.of());
    }

    @Override
    public Optional<ToolDefinition> find(String tool) {
        return catalog().snapshot().find(place, tool);
    }

    @Override
    public boolean update(List<ToolDefinition> all) {
        var filter = source.upstream().settings().toolFilter();
        var listed = all.stream().filter(tool -> filter.admits(tool.name())).toList();
        var change = catalog().update(place, listed);
        var again = wasUpdated;
        wasUpdated = true;
        source.upstream().events().publish(again ? refreshed(change) : discovered(taken(listed)));
        return again && !change.isEmpty();
    }

    @Override
    public void clear() {
        catalog().remove(place);
    }

    private ToolCatalog catalog() {
        return source.catalog();
    }

    /** What of a list the catalog has taken, in the order of the server. */
    private List<ToolDefinition> taken(List<ToolDefinition> listed) {
        var kept = Set.copyOf(items());
        return listed.stream().filter(kept::contains).toList();
    }

    private BridgeEvent discovered(List<ToolDefinition> tools) {
        var names = tools.stream().map(ToolDefinition::name).toList();
        return new BridgeEvent.ToolsDiscovered(source.upstream().name(), correlationId(), names.size(), names);
    }

    private BridgeEvent refreshed(ToolCatalog.Change change) {
        return new BridgeEvent.ToolsRefreshed(
                source.upstream().name(), correlationId(), change.added(), change.removed(), change.unchanged());
    }

    private String correlationId() {
        return ServerList.correlationId(source.upstream().name());
    }
}
