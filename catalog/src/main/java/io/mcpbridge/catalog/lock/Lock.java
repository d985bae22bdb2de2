package io.mcpbridge.catalog.lock;

import java.util.Collections;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * The definitions that somebody has approved. Immutable.
 *
 * @param servers by the name of the server, and there by the name of the tool; sorted
 */
record Lock(Map<String, Map<String, Pin>> servers) {
    static final Lock EMPTY = new Lock(Map.of());

    Lock {
        var sorted = new TreeMap<String, Map<String, Pin>>();
        servers.forEach((server, tools) -> sorted.put(server, Collections.unmodifiableMap(new TreeMap<>(tools))));
        servers = Collections.unmodifiableMap(sorted);
    }

    /** What was approved of a server. */
    Map<String, Pin> of(String server) {
        return servers.getOrDefault(server, Map.of());
    }

    /** The same, with other tools of one server. */
    Lock with(String server, Map<String, Pin> tools) {
        var changed = new TreeMap<>(servers);
        changed.put(server, tools);
        return new Lock(changed);
    }

    Set<String> names() {
        return servers.keySet();
    }
}
