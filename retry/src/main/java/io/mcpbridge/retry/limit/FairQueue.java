package io.mcpbridge.retry.limit;

import io.mcpbridge.call.Principal;
import java.util.ArrayDeque;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;

/**
 * Calls that wait: those of one user in the order in which they came, and the users in turn, so that whoever sends
 * thousands does not make the others wait for all of them. One thread at a time.
 */
final class FairQueue {
    private final Map<Principal, ArrayDeque<ParkedTurn>> turns = new LinkedHashMap<>();
    private int size;

    int size() {
        return size;
    }

    void add(ParkedTurn turn) {
        turns.computeIfAbsent(turn.principal(), absent -> new ArrayDeque<>()).add(turn);
        size++;
    }

    /** How many calls of one user wait. */
    int length(Principal principal) {
        var own = turns.get(principal);
        return own == null ? 0 : own.size();
    }

    /**
     * Takes out the newest call of whoever has the most waiting, to make room for one of {@code arriving}; empty if that
     * would have the most itself.
     */
    Optional<ParkedTurn> displace(Principal arriving) {
        var longest = turns.values().stream().max(Comparator.comparingInt(ArrayDeque::size));
        return longest.filter(most -> most.size() > length(arriving) + 1).map(most -> {
            size--;
            return most.removeLast();
        });
    }

    /** Takes one out that was withdrawn; no matter if it is not there. */
    void remove(ParkedTurn turn) {
        var own = turns.get(turn.principal());
        if (own != null && own.remove(turn)) {
            size--;
            dropIfEmpty(turn.principal(), own);
        }
    }

    /** The next call of a user who may begin one, taken out; that user comes last from now on. */
    Optional<ParkedTurn> next(Predicate<Principal> mayBegin) {
        for (var entry : turns.entrySet()) {
            if (mayBegin.test(entry.getKey())) {
                return Optional.of(poll(entry.getKey(), entry.getValue()));
            }
        }
        return Optional.empty();
    }

    Set<Principal> principals() {
        return turns.keySet();
    }

    private ParkedTurn poll(Principal principal, ArrayDeque<ParkedTurn> own) {
        var turn = own.remove();
        size--;
        turns.remove(principal);
        if (!own.isEmpty()) {
            turns.put(principal, own);
        }
        return turn;
    }

    private void dropIfEmpty(Principal principal, ArrayDeque<ParkedTurn> own) {
        if (own.isEmpty()) {
            turns.remove(principal);
        }
    }
}
