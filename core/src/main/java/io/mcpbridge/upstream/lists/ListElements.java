package io.mcpbridge.upstream.lists;

import io.mcpbridge.call.Caller;
import io.mcpbridge.failure.BridgeException;
import io.mcpbridge.message.JsonPieces;
import io.mcpbridge.message.UnreadableElement;
import io.mcpbridge.upstream.ListSource;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The elements of one listing, each judged alone: one that cannot be used, or a second one of the same key, costs itself.
 * One listing, one thread.
 */
final class ListElements<T> {
    private final ListSource source;
    private final ListKind<T> kind;
    private final Caller caller;
    private final Map<String, T> items = new LinkedHashMap<>();
    private final List<Unusable> leftOut = new ArrayList<>();
    private int seen;

    /** @param caller for whom the server is asked */
    ListElements(ListSource source, ListKind<T> kind, Caller caller) {
        this.source = source;
        this.kind = kind;
        this.caller = caller;
    }

    /** How many there were. */
    int seen() {
        return seen;
    }

    /** Takes the next one. */
    void add(String raw, Optional<UnreadableElement> unreadable) {
        seen++;
        if (unreadable.isPresent()) {
            leftOut(Optional.of(unreadable.get().key()), unreadable.get().why());
            return;
        }
        try {
            var item = kind.mended(kind.parse(raw), source);
            var fault = kind.flaw(item, source, caller);
            if (fault.isPresent()) {
                leftOut(Optional.of(kind.key(item)), fault.get());
            } else if (items.putIfAbsent(kind.key(item), item) != null) {
                leftOut(Optional.of(kind.key(item)), "one of that name stands before it, which counts");
            }
        } catch (BridgeException unusable) {
            leftOut(
                    JsonPieces.firstText(raw, kind.keyMember()),
                    unusable.failure().message());
        }
    }

    /** Passes over the next one, for a reason. */
    void leaveOut(String raw, String why) {
        seen++;
        leftOut(JsonPieces.firstText(raw, kind.keyMember()), why);
    }

    private void leftOut(Optional<String> key, String why) {
        var shown =
                key.filter(text -> !text.isEmpty()).orElseGet(() -> place(seen).strip());
        leftOut.add(new Unusable(shown, seen, why));
    }

    /** All of them. */
    Sifted<T> sifted() {
        return new Sifted<>(List.copyOf(items.values()), reasons());
    }

    /** One whose name another one has too, be that used or not, is told by its place. */
    private Map<String, String> reasons() {
        var reasons = new LinkedHashMap<String, String>();
        for (var each : leftOut) {
            var isTaken = items.containsKey(each.key()) || reasons.containsKey(each.key());
            reasons.put(isTaken ? each.key() + place(each.number()) : each.key(), each.why());
        }
        return reasons;
    }

    private static String place(int number) {
        return " (no. %d of the list)".formatted(number);
    }

    /** An element that is left out: the {@code number}th of the list. */
    private record Unusable(String key, int number, String why) {}
}
