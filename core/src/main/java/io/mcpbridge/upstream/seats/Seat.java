package io.mcpbridge.upstream.seats;

import io.mcpbridge.upstream.session.SessionKey;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** One session of a server and the client that has it. For one thread at a time: {@link SeatTable} guards it. */
final class Seat {
    private final SessionKey key;
    private final Set<String> guests = new HashSet<>();
    private @Nullable Sitter sitter;
    private int calls;
    private boolean isLasting;
    private boolean isWatched;
    private long freeSince;

    Seat(SessionKey key) {
        this.key = key;
    }

    SessionKey key() {
        return key;
    }

    boolean isOf(String name) {
        return sitter != null && sitter.name().equals(name);
    }

    /** Whether this client was let in beside whoever has it. */
    boolean hasGuest(String name) {
        return guests.contains(name);
    }

    int guests() {
        return guests.size();
    }

    /** Whoever has it, or had it last. */
    Optional<Sitter> sitter() {
        return Optional.ofNullable(sitter);
    }

    /** Whether nobody has it: whoever had it last has left, or is not known but for calls that have ended. */
    boolean isFree() {
        return calls == 0 && !isLasting && guests.isEmpty();
    }

    /** Whether nobody ever had it. */
    boolean isNew() {
        return sitter == null && isFree();
    }

    /** Whether it is free, and whoever had it last may come back for it. */
    boolean isKeptFor(Sitter other) {
        return isFree() && sitter != null && sitter.isSameClientAs(other);
    }

    /** Whether whoever had it last would be known again. */
    boolean isKept() {
        return sitter != null && sitter.isLasting() && !sitter.identity().isEmpty();
    }

    /** Gives it to a client; one that does not say when it leaves has left when its calls have ended. */
    void give(Sitter newSitter) {
        sitter = newSitter;
        isLasting = newSitter.isLasting();
    }

    void letIn(String guest) {
        guests.add(guest);
    }

    void begin() {
        calls++;
    }

    void end() {
        calls--;
    }

    /** The client with this name is gone. */
    void leave(String name) {
        guests.remove(name);
        if (isOf(name)) {
            isLasting = false;
        }
    }

    /** It is free from now on. */
    void free(long now) {
        freeSince = now;
    }

    /** Whether nobody watches yet how long it is free; the caller does from here on. */
    boolean watch() {
        var isFirst = !isWatched;
        isWatched = true;
        return isFirst;
    }

    void unwatch() {
        isWatched = false;
    }

    long freeSince() {
        return freeSince;
    }
}
