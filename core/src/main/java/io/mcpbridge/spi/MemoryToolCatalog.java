package io.mcpbridge.spi;

import io.mcpbridge.tool.ToolDefinition;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;
import java.util.stream.Collectors;

/** The catalog {@code memory}, which keeps its tools in memory only. Reading is one volatile read. */
public final class MemoryToolCatalog implements ToolCatalog {
    private final ReentrantLock lock = new ReentrantLock();
    private volatile Snapshot current = new Snapshot(0, Map.of());

    @Override
    public Snapshot snapshot() {
        return current;
    }

    @Override
    public Change update(String server, List<ToolDefinition> listed) {
        var sorted = listed.stream()
                .sorted(Comparator.comparing(ToolDefinition::name))
                .toList();
        return replace(server, sorted);
    }

    @Override
    public Change remove(String server) {
        return replace(server, List.of());
    }

    @Override
    public void close() {
        lock.lock();
        try {
            current = new Snapshot(current.version() + 1, Map.of());
        } finally {
            lock.unlock();
        }
    }

    private Change replace(String server, List<ToolDefinition> tools) {
        lock.lock();
        try {
            var change = change(current.tools().getOrDefault(server, List.of()), tools);
            if (!change.isEmpty()) {
                current = next(current, server, tools);
            }
            return change;
        } finally {
            lock.unlock();
        }
    }

    private static Snapshot next(Snapshot before, String server, List<ToolDefinition> tools) {
        var servers = new TreeMap<>(before.tools());
        if (tools.isEmpty()) {
            servers.remove(server);
        } else {
            servers.put(server, tools);
        }
        return new Snapshot(before.version() + 1, Collections.unmodifiableMap(servers));
    }

    private static Change change(List<ToolDefinition> before, List<ToolDefinition> now) {
        var old = byName(before);
        var added = new ArrayList<String>();
        var changed = new ArrayList<String>();
        for (var tool : now) {
            var known = old.remove(tool.name());
            if (known == null) {
                added.add(tool.name());
            } else if (!known.equals(tool)) {
                changed.add(tool.name());
            }
        }
        var unchanged = now.size() - added.size() - changed.size();
        return new Change(List.copyOf(added), List.copyOf(old.keySet()), List.copyOf(changed), unchanged);
    }

    private static Map<String, ToolDefinition> byName(List<ToolDefinition> tools) {
        return tools.stream()
                .collect(Collectors.toMap(ToolDefinition::name, Function.identity(), (one, same) -> one, TreeMap::new));
    }

    /** Provides {@code memory}: a new catalog each time. */
    public static final class Provider implements ToolCatalogProvider {

        @Override
        public Id id() {
            return new Id("memory", SPI_VERSION);
        }

        @Override
        public ToolCatalog create(Settings settings, Environment environment) {
            return new MemoryToolCatalog();
        }
    }
}
