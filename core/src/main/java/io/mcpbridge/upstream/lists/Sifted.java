package io.mcpbridge.upstream.lists;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * What a server listed.
 *
 * @param items what can be used
 * @param leftOut why the rest cannot, by what it would be asked for, in order; no key of an item is among them
 */
record Sifted<T>(List<T> items, Map<String, String> leftOut) {

    Sifted {
        items = List.copyOf(items);
        leftOut = Collections.unmodifiableMap(new LinkedHashMap<>(leftOut));
    }

    static <T> Sifted<T> nothing() {
        return new Sifted<>(List.of(), Map.of());
    }
}
