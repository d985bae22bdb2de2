package io.mcpbridge.upstream;

import io.mcpbridge.upstream.session.SessionKey;

/** One session of a server and the client that has it. For one thread at a time: {@link Seats} guards it. */
final class Seat {
    private final SessionKey key;
    private String client = "";
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
        return client.equals(name);
    }

    /** Whether nobody has it: whoever had it last has left, or is not known but for calls that have ended. */
    boolean isFree() {
        return calls == 0 && !isLasting;
    }

    /**
     * Gives it to a client.
     *
     * @param newIsLasting whether the client says when it leaves; else it has left when its calls have ended
     */
    void give(String newClient, boolean newIsLasting) {
        client = newClient;
        isLasting = newIsLasting;
    }

    void begin() {
        calls++;
    }

    void end() {
        calls--;
    }

    void leave() {
        isLasting = false;
    }

    /** Notes since when it is free; false if somebody watches already how long that lasts. */
    boolean watch(long now) {
        freeSince = now;
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
