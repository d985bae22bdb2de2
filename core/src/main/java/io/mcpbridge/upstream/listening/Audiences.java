package io.mcpbridge.upstream.listening;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.mcpbridge.call.Audience;
import io.mcpbridge.upstream.listening.Subscription.Place;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.locks.ReentrantLock;

/** What each audience has subscribed to at one server, and what is to be done when it is gone. Any thread. */
final class Audiences {
    /** Of an audience that has not been asked yet to say when it goes. */
    private static final Audience.Registration NONE_YET = () -> {};

    private final ReentrantLock lock = new ReentrantLock();

    @GuardedBy("lock")
    private final Map<Audience, Map<Place, Audience.Registration>> table = new HashMap<>();

    /** How many resources this audience has subscribed to. */
    int count(Audience audience) {
        lock.lock();
        try {
            return table.getOrDefault(audience, Map.of()).size();
        } finally {
            lock.unlock();
        }
    }

    /** The audience wants to hear of a place from now on. */
    void join(Audience audience, Place place) {
        lock.lock();
        try {
            table.computeIfAbsent(audience, absent -> new HashMap<>()).put(place, NONE_YET);
        } finally {
            lock.unlock();
        }
    }

    /** Runs {@code whenGone} when an audience is gone that has joined and not left; at once if that is so already. */
    void watch(Audience audience, Place place, Runnable whenGone) {
        // Without the lock, since the action may run here.
        replace(audience, place, audience.onGone(whenGone)).remove();
    }

    /** Keeps a registration and returns the one before it; one that nobody needs any more is returned itself. */
    private Audience.Registration replace(Audience audience, Place place, Audience.Registration registration) {
        lock.lock();
        try {
            var places = table.get(audience);
            var before = places == null ? null : places.replace(place, registration);
            return before == null ? registration : before;
        } finally {
            lock.unlock();
        }
    }

    /** The audience does not want to hear of a place any more; returns what to remove then, without a lock. */
    Audience.Registration leave(Audience audience, Place place) {
        lock.lock();
        try {
            var places = table.get(audience);
            if (places == null) {
                return NONE_YET;
            }
            var registration = places.remove(place);
            if (places.isEmpty()) {
                table.remove(audience);
            }
            return registration == null ? NONE_YET : registration;
        } finally {
            lock.unlock();
        }
    }
}
