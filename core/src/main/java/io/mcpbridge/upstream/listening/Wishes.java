package io.mcpbridge.upstream.listening;

import io.mcpbridge.failure.Failure;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;

/**
 * The resources that a {@link Listening} is to hear of, and who waits to be told whether the server tells of them.
 * Guarded by the lock of the listening that owns it.
 */
final class Wishes {
    private final Map<String, List<Consumer<Optional<Failure>>>> byUri = new LinkedHashMap<>();

    Set<String> uris() {
        return Set.copyOf(byUri.keySet());
    }

    /** Wants to hear of a resource; nobody waits. */
    void add(String uri) {
        byUri.computeIfAbsent(uri, absent -> new ArrayList<>());
    }

    /** Wants to hear of a resource; {@code told} waits. */
    void add(String uri, Consumer<Optional<Failure>> told) {
        byUri.computeIfAbsent(uri, absent -> new ArrayList<>()).add(told);
    }

    /** Nobody wants to hear of a resource any more, unless somebody waits, who came later. */
    void remove(String uri) {
        byUri.computeIfPresent(uri, (key, waiting) -> waiting.isEmpty() ? null : waiting);
    }

    /** Takes whoever waits for one of these resources, which stay wanted. */
    Map<String, List<Consumer<Optional<Failure>>>> takeWaiting(Set<String> uris) {
        var taken = new LinkedHashMap<String, List<Consumer<Optional<Failure>>>>();
        for (var uri : uris) {
            var waiting = byUri.get(uri);
            if (waiting != null && !waiting.isEmpty()) {
                taken.put(uri, List.copyOf(waiting));
                waiting.clear();
            }
        }
        return taken;
    }

    /** Gives up those of these resources that somebody waits for, and takes whoever does. */
    List<Consumer<Optional<Failure>>> giveUpWaitedFor(Set<String> uris) {
        var waiting = takeWaiting(uris);
        waiting.keySet().forEach(byUri::remove);
        return waiting.values().stream().flatMap(List::stream).toList();
    }

    /** Gives up every resource that somebody waits for, and takes whoever does. */
    List<Consumer<Optional<Failure>>> giveUpWaitedFor() {
        return giveUpWaitedFor(uris());
    }

    /** Gives everything up and takes whoever waits. */
    List<Consumer<Optional<Failure>>> giveUp() {
        var waiting = byUri.values().stream().flatMap(List::stream).toList();
        byUri.clear();
        return waiting;
    }
}
