package io.mcpbridge.upstream.lists;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Keeps a list in the order of its server. */
final class MemoryShelf<T> implements Shelf<T> {
    private final ListKind<T> kind;
    private volatile @Nullable Map<String, T> kept;

    MemoryShelf(ListKind<T> kind) {
        this.kind = kind;
    }

    @Override
    public List<T> items() {
        return List.copyOf(known().values());
    }

    @Override
    public Optional<T> find(String key) {
        return Optional.ofNullable(known().get(key));
    }

    @Override
    public boolean update(List<T> listed) {
        var before = kept;
        var now = new LinkedHashMap<String, T>();
        listed.forEach(item -> now.put(kind.key(item), item));
        kept = Collections.unmodifiableMap(now);
        return before != null && !List.copyOf(before.values()).equals(listed);
    }

    @Override
    public void clear() {
        kept = null;
    }

    private Map<String, T> known() {
        var current = kept;
        return current == null ? Map.of() : current;
    }
}
