package io.mcpbridge.upstream.listening;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.mcpbridge.call.Audience;
import io.mcpbridge.call.Call;
import io.mcpbridge.call.Outcome;
import io.mcpbridge.call.Reply;
import io.mcpbridge.message.Methods;
import io.mcpbridge.message.Notification;
import io.mcpbridge.message.Part;
import io.mcpbridge.upstream.listening.Subscription.Place;
import io.mcpbridge.upstream.listening.Subscription.State;
import io.mcpbridge.upstream.session.SessionKey;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/**
 * Who wants to hear of changes of one server's resources. The server is asked once per resource, however many listen.
 * Any thread.
 */
public final class ResourceSubscriptions {
    private final SubscribedServer server;
    private final SubscriptionWire wire;
    private final Audiences audiences = new Audiences();
    private final ReentrantLock lock = new ReentrantLock();

    @GuardedBy("lock")
    private final Map<Place, Subscription> table = new LinkedHashMap<>();

    /** Makes the subscriptions of one server, of which there are none yet. */
    public ResourceSubscriptions(SubscribedServer server) {
        this.server = server;
        this.wire = new SubscriptionWire(server);
    }

    /**
     * Has {@code audience} told of every change of the resource until it is gone or removed.
     *
     * @param call whose caller's session of the server is used
     * @param reply hears an empty result, or why the server does not take it
     */
    public void add(Call call, String uri, Audience audience, Reply reply) {
        var place = place(call, uri);
        var waiting = new SubscribeCall(call, audience, reply);
        boolean isKnown;
        boolean isActive;
        boolean isNew;
        Subscription subscription;
        lock.lock();
        try {
            isKnown = table.containsKey(place);
            subscription = table.computeIfAbsent(place, absent -> new Subscription(place, call.caller()));
            isNew = subscription.audiences().add(audience);
            if (isNew) {
                audiences.join(audience, place);
            }
            isActive = subscription.state() == State.ACTIVE;
            if (!isActive) {
                subscription.waiting().add(waiting);
            }
        } finally {
            lock.unlock();
        }
        if (isNew) {
            audiences.watch(audience, place, () -> remove(place, audience));
        }
        if (isActive) {
            waiting.taken();
            return;
        }
        waiting.watch(withdrawn -> withdraw(subscription, withdrawn));
        if (!isKnown) {
            begin(subscription);
        }
    }

    /** How many resources of this server {@code audience} is told of. */
    public int count(Audience audience) {
        return audiences.count(audience);
    }

    /** Ends what {@link #add} began; the server is told when nobody else listens. */
    public void remove(Call call, String uri, Audience audience) {
        remove(place(call, uri), audience);
    }

    private Place place(Call call, String uri) {
        return new Place(server.key(call.caller()), uri);
    }

    private void remove(Place place, Audience audience) {
        Subscription subscription;
        Audience.Registration registration;
        boolean ends;
        lock.lock();
        try {
            subscription = table.get(place);
            if (subscription == null || !subscription.audiences().remove(audience)) {
                return;
            }
            registration = audiences.leave(audience, place);
            // Where the server has something else to answer first, whoever hears that goes on.
            ends = subscription.state() == State.ACTIVE && subscription.endsUnwanted();
        } finally {
            lock.unlock();
        }
        registration.remove();
        if (ends) {
            end(subscription);
        }
    }

    /** A call that waits has ended otherwise; its audience is told of nothing unless another call wants it to be. */
    private void withdraw(Subscription subscription, SubscribeCall call) {
        boolean isAlone;
        lock.lock();
        try {
            isAlone = subscription.waiting().remove(call)
                    && subscription.waiting().stream().noneMatch(other -> other.audience() == call.audience());
        } finally {
            lock.unlock();
        }
        if (isAlone) {
            remove(subscription.place(), call.audience());
        }
    }

    private void begin(Subscription subscription) {
        wire.subscribe(subscription, outcome -> settle(subscription, outcome));
    }

    /** The server has taken the subscription or not; whoever waits hears it, and may be gone by now. */
    private void settle(Subscription subscription, Outcome outcome) {
        var isTaken = !SubscriptionWire.isError(outcome);
        List<SubscribeCall> waiting;
        var left = List.<Audience.Registration>of();
        var ends = false;
        lock.lock();
        try {
            waiting = subscription.takeWaiting();
            if (isTaken) {
                subscription.become(State.ACTIVE);
                ends = subscription.endsUnwanted();
            } else {
                left = giveUp(subscription);
            }
        } finally {
            lock.unlock();
        }
        left.forEach(Audience.Registration::remove);
        tell(waiting, outcome);
        if (ends) {
            end(subscription);
        }
    }

    @GuardedBy("lock")
    private List<Audience.Registration> giveUp(Subscription subscription) {
        var left = subscription.audiences().stream()
                .map(audience -> audiences.leave(audience, subscription.place()))
                .toList();
        subscription.audiences().clear();
        table.remove(subscription.place(), subscription);
        return left;
    }

    private static void tell(List<SubscribeCall> waiting, Outcome outcome) {
        waiting.forEach(SubscriptionWire.isError(outcome) ? each -> each.end(outcome) : SubscribeCall::taken);
    }

    private void end(Subscription subscription) {
        wire.unsubscribe(subscription, () -> isWantedElsewhere(subscription.place()), () -> ended(subscription));
    }

    /** A modern server has one session for all callers of a principal, whatever they can be asked. */
    private boolean isWantedElsewhere(Place place) {
        lock.lock();
        try {
            return table.values().stream()
                    .filter(other -> !other.place().equals(place)
                            && other.place().uri().equals(place.uri())
                            && other.place().key().hasSamePrincipal(place.key()))
                    .anyMatch(other -> !other.audiences().isEmpty());
        } finally {
            lock.unlock();
        }
    }

    /** The server tells of it no more; whoever came meanwhile has it asked again. */
    private void ended(Subscription subscription) {
        boolean again;
        lock.lock();
        try {
            again = !subscription.audiences().isEmpty();
            if (again) {
                subscription.become(State.ASKING);
            } else {
                table.remove(subscription.place(), subscription);
            }
        } finally {
            lock.unlock();
        }
        if (again) {
            begin(subscription);
        }
    }

    /** Whether somebody subscribed in the session of {@code key}, or in one that a modern server would share with it. */
    public boolean isUsed(Predicate<SessionKey> whose) {
        return !taken(whose).isEmpty();
    }

    /** What is to be asked of a modern session that has just begun. */
    public Set<String> wanted(SessionKey key) {
        return taken(key::hasSamePrincipal).stream()
                .map(subscription -> subscription.place().uri())
                .collect(Collectors.toSet());
    }

    /** Asks a new legacy session for what the one before it told of. */
    public void restore(SessionKey key) {
        for (var subscription : taken(key::equals)) {
            int session;
            lock.lock();
            try {
                session = subscription.isTaken() ? subscription.restore() : 0;
            } finally {
                lock.unlock();
            }
            if (session > 0) {
                wire.request(
                        subscription, Methods.RESOURCES_SUBSCRIBE, outcome -> restored(subscription, session, outcome));
            }
        }
    }

    private void restored(Subscription subscription, int session, Outcome outcome) {
        List<SubscribeCall> waiting;
        boolean ends;
        lock.lock();
        try {
            if (!subscription.isRestoredBy(session)) {
                return;
            }
            waiting = subscription.takeWaiting();
            // Where the server refuses, whoever listened before may still hear something in the next session.
            subscription.become(State.ACTIVE);
            ends = subscription.endsUnwanted();
        } finally {
            lock.unlock();
        }
        if (SubscriptionWire.isError(outcome)) {
            server.dropped("the server does not take '%s' up again"
                    .formatted(subscription.place().uri()));
            waiting.forEach(call -> remove(subscription.place(), call.audience()));
        }
        tell(waiting, outcome);
        if (ends) {
            end(subscription);
        }
    }

    private List<Subscription> taken(Predicate<SessionKey> whose) {
        lock.lock();
        try {
            return table.values().stream()
                    .filter(each -> each.isTaken() && whose.test(each.place().key()))
                    .toList();
        } finally {
            lock.unlock();
        }
    }

    /** Passes a {@code notifications/resources/updated} on to whoever listens; false if nobody does. */
    public boolean updated(Predicate<SessionKey> whose, Notification notification) {
        var uri = notification.text(Part.URI).orElse("");
        Set<Audience> told;
        lock.lock();
        try {
            told = table.values().stream()
                    .filter(each ->
                            whose.test(each.place().key()) && each.place().covers(uri))
                    .flatMap(each -> each.audiences().stream())
                    .collect(Collectors.toSet());
        } finally {
            lock.unlock();
        }
        told.forEach(audience -> audience.tell(notification));
        return !told.isEmpty();
    }
}
