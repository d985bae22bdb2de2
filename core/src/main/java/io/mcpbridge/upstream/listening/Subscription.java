package io.mcpbridge.upstream.listening;

import io.mcpbridge.call.Audience;
import io.mcpbridge.call.Caller;
import io.mcpbridge.upstream.session.SessionKey;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * One resource that clients want to hear of in one session of a server. Guarded by the lock of the
 * {@link SubscriptionTable} that owns it.
 *
 * <p>The server is asked one thing at a time: what is wanted meanwhile is asked for when it has answered, so that
 * nothing overtakes anything.
 */
final class Subscription {

    /**
     * Which resource, in whose session of the server.
     *
     * @param key whose session of the server is used
     */
    record Place(SessionKey key, String uri) {

        /** Whether it hears of a change of {@code changed}: a server may tell of a part of what was subscribed to. */
        boolean covers(String changed) {
            return changed.equals(uri)
                    || (changed.startsWith(uri) && (uri.endsWith("/") || changed.charAt(uri.length()) == '/'));
        }
    }

    /** How the server stands to it. */
    enum State {
        /** It is asked to tell of the resource. */
        ASKING,
        /** It tells of the resource. */
        ACTIVE,
        /** It told of the resource in a session that is over, and is asked to go on in the next one. */
        RESTORING,
        /** It is asked to tell no more. */
        ENDING
    }

    private final Place place;
    private final Caller caller;
    private final Set<Audience> audiences = new HashSet<>();
    private final List<SubscribeCall> waiting = new ArrayList<>();
    private State state = State.ASKING;
    private int sessions;

    Subscription(Place place, Caller caller) {
        this.place = place;
        this.caller = caller.withoutSession();
    }

    Place place() {
        return place;
    }

    /** For whom the server is asked. */
    Caller caller() {
        return caller;
    }

    Set<Audience> audiences() {
        return audiences;
    }

    /** The calls that end when the server has answered. */
    List<SubscribeCall> waiting() {
        return waiting;
    }

    List<SubscribeCall> takeWaiting() {
        var taken = List.copyOf(waiting);
        waiting.clear();
        return taken;
    }

    State state() {
        return state;
    }

    void become(State newState) {
        state = newState;
    }

    /** Whether the server tells of it, or did until its session ended. */
    boolean isTaken() {
        return state == State.ACTIVE || state == State.RESTORING;
    }

    /** Begins to end where nobody wants to hear of it any more; whether that is so. */
    boolean endsUnwanted() {
        if (!audiences.isEmpty()) {
            return false;
        }
        state = State.ENDING;
        return true;
    }

    /** Another session takes it up; returns which that is. */
    int restore() {
        state = State.RESTORING;
        return ++sessions;
    }

    /** Whether this is still the session that takes it up. */
    boolean isRestoredBy(int session) {
        return state == State.RESTORING && sessions == session;
    }
}
