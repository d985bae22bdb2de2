package io.mcpbridge.upstream.listening;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.mcpbridge.call.Audience;
import io.mcpbridge.call.Caller;
import io.mcpbridge.upstream.listening.Subscription.Place;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.ReentrantLock;

/** What each audience has subscribed to at one server, and what is to be done when it is gone. Any thread. */
final class Audiences {
    /** Of an audience that has not been asked yet to say when it goes. */
    private static final Audience.Registration NONE_YET = () -> {};

    /** @param caller whose client it is that listens */
    record Wish(Audience audience, Place place, Caller caller) {}

    private record Entry(Caller caller, Audience.Registration registration) {}

    private final ReentrantLock lock = new ReentrantLock();

    @GuardedBy("lock")
    private final Map<Audience, Map<Place, Entry>> table = new HashMap<>();

    /** How many resources this audience has subscribed to. */
    int count(Audience audience) {
        lock.lock();
        try {
            return table.getOrDefault(audience, Map.of()).size();
        } finally {
            lock.unlock();
        }
    }

    /** Where this audience is told of a resource; more than one place while it moves. */
    List<Place> places(Audience audience, String uri) {
        lock.lock();
        try {
            return table.getOrDefault(audience, Map.of()).keySet().stream()
                    .filter(place -> place.uri().equals(uri))
                    .toList();
        } finally {
            lock.unlock();
        }
    }

    /** What everybody wants to hear of. */
    List<Wish> wishes() {
        lock.lock();
        try {
            return table.entrySet().stream()
                    .flatMap(of -> of.getValue().entrySet().stream()
                            .map(at -> new Wish(
                                    of.getKey(), at.getKey(), at.getValue().caller())))
                    .toList();
        } finally {
            lock.unlock();
        }
    }

    /** The audience wants to hear of a place from now on. */
    void join(Audience audience, Place place, Caller caller) {
        lock.lock();
        try {
            table.computeIfAbsent(audience, absent -> new HashMap<>()).put(place, new Entry(caller, NONE_YET));
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
            var places = table.getOrDefault(audience, Map.of());
            var before = places.get(place);
            if (before == null) {
                return registration;
            }
            places.put(place, new Entry(before.caller(), registration));
            return before.registration();
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
            var entry = places.remove(place);
            if (places.isEmpty()) {
                table.remove(audience);
            }
            return entry == null ? NONE_YET : entry.registration();
        } finally {
            lock.unlock();
        }
    }
}
