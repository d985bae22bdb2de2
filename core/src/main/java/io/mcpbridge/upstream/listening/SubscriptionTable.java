package io.mcpbridge.upstream.listening;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.mcpbridge.call.Audience;
import io.mcpbridge.upstream.listening.Subscription.Place;
import io.mcpbridge.upstream.listening.Subscription.State;
import io.mcpbridge.upstream.session.SessionKey;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/**
 * What clients have subscribed to at one server, and how the server stands to it. Any thread.
 *
 * <p>Each method is one step that is seen whole or not at all, and says what follows from it; that is done without the
 * lock, since it speaks to the server and to clients.
 */
final class SubscriptionTable {
    private final Audiences audiences;
    private final ReentrantLock lock = new ReentrantLock();

    @GuardedBy("lock")
    private final Map<Place, Subscription> byPlace = new LinkedHashMap<>();

    /** @param audiences kept in step with the subscriptions */
    SubscriptionTable(Audiences audiences) {
        this.audiences = audiences;
    }

    /**
     * Somebody wants to hear of a resource.
     *
     * @param isNewcomer whether the audience was not told of it so far
     * @param isActive whether the server tells of it already
     * @param isUnasked whether the server is to be asked now
     */
    record Joined(Subscription subscription, boolean isNewcomer, boolean isActive, boolean isUnasked) {}

    /** The audience of {@code call} is told of the resource; the call waits unless the server tells of it already. */
    Joined join(Place place, SubscribeCall call) {
        lock.lock();
        try {
            var isUnasked = !byPlace.containsKey(place);
            var subscription = byPlace.computeIfAbsent(place, absent -> new Subscription(place, call.caller()));
            var isNewcomer = subscription.audiences().add(call.audience());
            if (isNewcomer) {
                call.markNewcomer();
                audiences.join(call.audience(), place, call.caller());
            }
            var isActive = subscription.state() == State.ACTIVE;
            if (!isActive) {
                subscription.waiting().add(call);
            }
            return new Joined(subscription, isNewcomer, isActive, isUnasked);
        } finally {
            lock.unlock();
        }
    }

    /**
     * Somebody does not want to hear of a resource any more.
     *
     * @param ends whether the server is to be told now, since nobody else does either
     */
    record Left(Subscription subscription, Audience.Registration registration, boolean ends) {}

    /** The audience is told of the resource no more; empty if it was not. */
    Optional<Left> leave(Place place, Audience audience) {
        lock.lock();
        try {
            var subscription = byPlace.get(place);
            if (subscription == null || !subscription.audiences().remove(audience)) {
                return Optional.empty();
            }
            var registration = audiences.leave(audience, place);
            // Where the server has something else to answer first, whoever hears that goes on.
            var ends = subscription.state() == State.ACTIVE && subscription.endsUnwanted();
            return Optional.of(new Left(subscription, registration, ends));
        } finally {
            lock.unlock();
        }
    }

    /** A call waits no longer; whether it did, brought its audience in, and no other call waits for its audience. */
    boolean withdraw(Subscription subscription, SubscribeCall call) {
        lock.lock();
        try {
            if (!subscription.waiting().remove(call) || !call.isNewcomer()) {
                return false;
            }
            var heir = subscription.waiting().stream()
                    .filter(other -> other.audience() == call.audience())
                    .findFirst();
            heir.ifPresent(SubscribeCall::markNewcomer);
            return heir.isEmpty();
        } finally {
            lock.unlock();
        }
    }

    /**
     * The server has answered.
     *
     * @param waiting who is to hear that
     * @param left of audiences that are told of nothing
     * @param ends whether the server is to be told that nobody wants to hear of it any more
     */
    record Answered(List<SubscribeCall> waiting, List<Audience.Registration> left, boolean ends) {}

    /** The server tells of the resource from now on. */
    Answered taken(Subscription subscription) {
        lock.lock();
        try {
            return activate(subscription);
        } finally {
            lock.unlock();
        }
    }

    private static Answered activate(Subscription subscription) {
        var waiting = subscription.takeWaiting();
        subscription.become(State.ACTIVE);
        return new Answered(waiting, List.of(), subscription.endsUnwanted());
    }

    /** The server does not tell of the resource, and nobody is told of it. */
    Answered refused(Subscription subscription) {
        lock.lock();
        try {
            var waiting = subscription.takeWaiting();
            var left = subscription.audiences().stream()
                    .map(audience -> audiences.leave(audience, subscription.place()))
                    .toList();
            subscription.audiences().clear();
            byPlace.remove(subscription.place(), subscription);
            return new Answered(waiting, left, false);
        } finally {
            lock.unlock();
        }
    }

    /** The server tells of it no more; whether somebody came meanwhile, for whom it is to be asked again. */
    boolean ended(Subscription subscription) {
        lock.lock();
        try {
            if (subscription.audiences().isEmpty()) {
                byPlace.remove(subscription.place(), subscription);
                return false;
            }
            subscription.become(State.ASKING);
            return true;
        } finally {
            lock.unlock();
        }
    }

    /** Another session is to take it up; returns which that is, or 0 if there is nothing to be taken up. */
    int restore(Subscription subscription) {
        lock.lock();
        try {
            return subscription.isTaken() ? subscription.restore() : 0;
        } finally {
            lock.unlock();
        }
    }

    /** That session has answered, which is empty if another one has been asked since. */
    Optional<Answered> restored(Subscription subscription, int session) {
        lock.lock();
        try {
            // Where the server refuses, whoever listened before may still hear something in the next session.
            return subscription.isRestoredBy(session) ? Optional.of(activate(subscription)) : Optional.empty();
        } finally {
            lock.unlock();
        }
    }

    /** What a server tells of in sessions with such keys, or did until they ended. */
    List<Subscription> taken(Predicate<SessionKey> whose) {
        lock.lock();
        try {
            return byPlace.values().stream()
                    .filter(each -> each.isTaken() && whose.test(each.place().key()))
                    .toList();
        } finally {
            lock.unlock();
        }
    }

    /** How many resources the server tells of, or is to tell of. */
    int size() {
        lock.lock();
        try {
            return byPlace.size();
        } finally {
            lock.unlock();
        }
    }

    /** Whether the server tells of this there. */
    boolean isTaken(Place place) {
        lock.lock();
        try {
            var subscription = byPlace.get(place);
            return subscription != null && subscription.isTaken();
        } finally {
            lock.unlock();
        }
    }

    /** Who wants to hear of a change of this resource in sessions with such keys. */
    Set<Audience> concerned(Predicate<SessionKey> whose, String uri) {
        lock.lock();
        try {
            return byPlace.values().stream()
                    .filter(each ->
                            whose.test(each.place().key()) && each.place().covers(uri))
                    .flatMap(each -> each.audiences().stream())
                    .collect(Collectors.toSet());
        } finally {
            lock.unlock();
        }
    }

    /** A modern server has one session for all callers of a principal, whatever they can be asked. */
    boolean isWantedElsewhere(Place place) {
        lock.lock();
        try {
            return byPlace.values().stream()
                    .filter(other -> !other.place().equals(place)
                            && other.place().uri().equals(place.uri())
                            && other.place().key().hasSamePrincipal(place.key()))
                    .anyMatch(other -> !other.audiences().isEmpty());
        } finally {
            lock.unlock();
        }
    }
}
