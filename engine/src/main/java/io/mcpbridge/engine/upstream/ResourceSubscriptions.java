package io.mcpbridge.engine.upstream;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.mcpbridge.call.Call;
import io.mcpbridge.call.Caller;
import io.mcpbridge.call.CancelReason;
import io.mcpbridge.call.Cancellation;
import io.mcpbridge.call.NotificationSink;
import io.mcpbridge.call.Outcome;
import io.mcpbridge.engine.upstream.affinity.ClientAffinity;
import io.mcpbridge.engine.upstream.affinity.SessionKey;
import io.mcpbridge.engine.upstream.connection.DropCounter;
import io.mcpbridge.engine.upstream.connection.ServerConnection;
import io.mcpbridge.engine.upstream.connection.SubscriptionStream;
import io.mcpbridge.engine.upstream.connection.UpstreamParts;
import io.mcpbridge.failure.Failure;
import io.mcpbridge.message.JsonStrings;
import io.mcpbridge.message.MessageField;
import io.mcpbridge.message.MessageId;
import io.mcpbridge.message.Methods;
import io.mcpbridge.message.Notification;
import io.mcpbridge.message.Response;
import io.mcpbridge.spi.CallContext;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The subscriptions of clients to resources of one server. Any thread; nothing here waits.
 *
 * <p>The bridge subscribes once per resource and session, however many clients listen: at a legacy server by requests, at
 * a modern one by the {@link SubscriptionStream} of the session. It has one request per subscription under way; changes
 * that come meanwhile follow when the server has answered. The lock guards the whole state and is never held while a
 * server, a call or a client is notified.
 */
public final class ResourceSubscriptions {
    private static final Cancellation.Registration NO_REGISTRATION = () -> {};
    private static final Outcome ACCEPTED = Outcome.answered(Response.result(MessageId.of(0), "{}"));

    private final UpstreamParts parts;
    private final ConnectionPool pool;
    private final ClientAffinity affinity;
    private final DropCounter dropped;
    private final ReentrantLock lock = new ReentrantLock();

    @GuardedBy("lock")
    private final Map<Place, Subscription> byPlace = new LinkedHashMap<>();

    /** @param dropped counts what the server failed to do */
    ResourceSubscriptions(UpstreamParts parts, ConnectionPool pool, ClientAffinity affinity, DropCounter dropped) {
        this.parts = parts;
        this.pool = pool;
        this.affinity = affinity;
        this.dropped = dropped;
    }

    /**
     * Notifies {@code audience} of every change of the resource, until the audience is gone or removed.
     *
     * @param call completes with an empty result, or with the reason why the server refuses; its caller's session is used
     */
    public void add(CallContext call, String uri, NotificationSink audience) {
        var place = new Place(reserve(call.caller()), uri);
        add(place, new Subscriber(audience, call.caller(), call));
    }

    private void add(Place place, Subscriber subscriber) {
        Subscription subscription;
        boolean isUnasked;
        boolean isActive;
        boolean isNewcomer;
        lock.lock();
        try {
            isUnasked = !byPlace.containsKey(place);
            subscription = byPlace.computeIfAbsent(place, absent -> new Subscription(place, subscriber.caller));
            var member = new Member(subscriber.caller, NO_REGISTRATION);
            isNewcomer = subscription.members.putIfAbsent(subscriber.audience, member) == null;
            subscriber.isNewcomer = isNewcomer;
            isActive = subscription.state == State.ACTIVE;
            if (!isActive) {
                subscription.waiting.add(subscriber);
            }
        } finally {
            lock.unlock();
        }
        if (isNewcomer) {
            watch(subscription, subscriber.audience);
        }
        if (isActive) {
            accepted(place, subscriber);
            return;
        }
        cancelWith(subscriber, subscription);
        if (isUnasked) {
            subscribe(subscription);
        }
    }

    /** Removes the audience when it is gone. */
    private void watch(Subscription subscription, NotificationSink audience) {
        // Without the lock, since the action may run here.
        var registration = audience.onClosed(() -> remove(subscription.place, audience));
        Cancellation.Registration unneeded;
        lock.lock();
        try {
            var member = subscription.members.get(audience);
            if (member == null) {
                unneeded = registration;
            } else {
                unneeded = member.registration;
                subscription.members.put(audience, new Member(member.caller, registration));
            }
        } finally {
            lock.unlock();
        }
        unneeded.remove();
    }

    /** Ends the call of a waiting subscriber when it is cancelled or its deadline passes. */
    private void cancelWith(Subscriber subscriber, Subscription subscription) {
        var call = subscriber.call;
        if (call == null) {
            return;
        }
        var alarm = call.deadline().alarm(() -> cancel(subscriber, call, subscription, CancelReason.TIMED_OUT));
        var link = call.cancellation().onCancel(reason -> cancel(subscriber, call, subscription, reason));
        call.onComplete(outcome -> {
            alarm.cancel();
            link.remove();
        });
    }

    /** The audience leaves with the call that brought it in, unless another waiting call needs it. */
    private void cancel(Subscriber subscriber, CallContext call, Subscription subscription, CancelReason reason) {
        boolean leaves;
        lock.lock();
        try {
            if (!subscription.waiting.remove(subscriber)) {
                return;
            }
            var successor = subscription.waiting.stream()
                    .filter(other -> other.audience == subscriber.audience)
                    .findFirst();
            leaves = subscriber.isNewcomer && successor.isEmpty();
            if (subscriber.isNewcomer) {
                successor.ifPresent(other -> other.isNewcomer = true);
            }
        } finally {
            lock.unlock();
        }
        if (leaves) {
            remove(subscription.place, subscriber.audience);
        }
        var words = "'%s' waited for the server's answer and was withdrawn: %s"
                .formatted(call.request().method(), reason.text());
        call.complete(Outcome.failed(Failure.of(reason.code(), words)));
    }

    /** How many resources of this server {@code audience} has subscribed to. */
    public int count(NotificationSink audience) {
        return find(each -> each.members.containsKey(audience)).size();
    }

    /** How many subscriptions there are at the server, for all audiences together. */
    public int count() {
        return find(each -> true).size();
    }

    /** The subscriptions of which {@code condition} holds at this moment. */
    private List<Subscription> find(Predicate<Subscription> condition) {
        lock.lock();
        try {
            return byPlace.values().stream().filter(condition).toList();
        } finally {
            lock.unlock();
        }
    }

    /** Removes what {@link #add} added, in whichever session; without any audience left the server is notified. */
    public void remove(String uri, NotificationSink audience) {
        places(uri, audience).forEach(place -> remove(place, audience));
    }

    /** The sessions in which the audience has subscribed to the resource; more than one while it moves. */
    private List<Place> places(String uri, NotificationSink audience) {
        return find(each -> each.place.uri.equals(uri) && each.members.containsKey(audience)).stream()
                .map(each -> each.place)
                .toList();
    }

    private void remove(Place place, NotificationSink audience) {
        Subscription subscription;
        Member left;
        boolean ends;
        lock.lock();
        try {
            subscription = byPlace.get(place);
            left = subscription == null ? null : subscription.members.remove(audience);
            if (subscription == null || left == null) {
                return;
            }
            // In another state, the answer that the server owes decides how the subscription continues.
            ends = subscription.state == State.ACTIVE && subscription.endIfUnwanted();
        } finally {
            lock.unlock();
        }
        left.registration.remove();
        if (ends) {
            unsubscribe(subscription);
        }
    }

    /** Whether a client subscribed in one of these sessions. */
    public boolean isUsed(Predicate<SessionKey> whose) {
        return !accepted(whose).isEmpty();
    }

    /** The resources to subscribe to in a modern session that has just begun. */
    public Set<String> wanted(SessionKey key) {
        return accepted(key::hasSamePrincipal).stream()
                .map(subscription -> subscription.place.uri)
                .collect(Collectors.toSet());
    }

    /** The subscriptions that the server accepted in these sessions, or in sessions before them. */
    private List<Subscription> accepted(Predicate<SessionKey> whose) {
        return find(each -> each.isAccepted() && whose.test(each.place.key));
    }

    /** Passes a {@code notifications/resources/updated} on to the audiences; false if there are none. */
    public boolean updated(Predicate<SessionKey> whose, Notification notification) {
        var uri = notification.text(MessageField.URI).orElse("");
        var audiences = audiences(whose, uri);
        audiences.forEach(audience -> audience.send(notification));
        return !audiences.isEmpty();
    }

    private Set<NotificationSink> audiences(Predicate<SessionKey> whose, String uri) {
        lock.lock();
        try {
            return byPlace.values().stream()
                    .filter(each -> whose.test(each.place.key) && each.place.covers(uri))
                    .flatMap(each -> each.members.keySet().stream())
                    .collect(Collectors.toSet());
        } finally {
            lock.unlock();
        }
    }

    /** Subscribes in a new legacy session to what the one before it had, and to what its clients subscribed to elsewhere. */
    public void restore(SessionKey key) {
        for (var subscription : accepted(key::equals)) {
            var attempt = beginRestoring(subscription);
            if (attempt > 0) {
                request(subscription, Methods.RESOURCES_SUBSCRIBE, outcome -> restored(subscription, attempt, outcome));
            }
        }
        moveTo(key);
    }

    private int beginRestoring(Subscription subscription) {
        lock.lock();
        try {
            if (!subscription.isAccepted()) {
                return 0;
            }
            subscription.state = State.RESTORING;
            return ++subscription.restorations;
        } finally {
            lock.unlock();
        }
    }

    private void restored(Subscription subscription, int attempt, Outcome outcome) {
        Answered answered;
        lock.lock();
        try {
            if (subscription.state != State.RESTORING || subscription.restorations != attempt) {
                return;
            }
            // Where the server refuses, the audiences may still be notified in the next session.
            answered = subscription.activate();
        } finally {
            lock.unlock();
        }
        if (isError(outcome)) {
            dropped.count("the server does not take '%s' up again".formatted(subscription.place.uri));
            answered.waiting.stream()
                    .filter(subscriber -> subscriber.isNewcomer)
                    .forEach(subscriber -> remove(subscription.place, subscriber.audience));
        }
        follow(subscription, answered, outcome);
    }

    /** Legacy clients may have subscribed in a session that they shared while the limit allowed none of their own. */
    private void moveTo(SessionKey key) {
        record Move(Place from, NotificationSink audience, Caller caller) {}
        var moves = new ArrayList<Move>();
        lock.lock();
        try {
            byPlace.values().stream()
                    .filter(Subscription::isAccepted)
                    .forEach(each -> each.members.forEach(
                            (audience, member) -> moves.add(new Move(each.place, audience, member.caller))));
        } finally {
            lock.unlock();
        }
        moves.stream()
                .filter(each -> key(each.caller).equals(key))
                .forEach(each -> move(each.from, each.caller, each.audience));
    }

    /** Subscribes in the legacy session of the client itself, if that is open and is another one. */
    private void move(Place place, Caller caller, NotificationSink audience) {
        var key = key(caller);
        if (!key.equals(place.key) && isConnected(key) && stream(key).isEmpty()) {
            add(new Place(key, place.uri), new Subscriber(audience, caller.withoutSession(), null));
        }
    }

    private void subscribe(Subscription subscription) {
        var call = own(subscription, Methods.INITIALIZE, "{}");
        UpstreamParts.sendOwn((sent, result) -> pool.connect(subscription.place.key, sent, result), call, connected -> {
            if (isError(connected)) {
                answered(subscription, connected);
                return;
            }
            var stream = stream(subscription.place.key);
            if (stream.isEmpty()) {
                request(subscription, Methods.RESOURCES_SUBSCRIBE, outcome -> answered(subscription, outcome));
                return;
            }
            stream.get()
                    .want(
                            subscription.place.uri,
                            why -> answered(
                                    subscription,
                                    why.<Outcome>map(Outcome::failed).orElse(ACCEPTED)));
        });
    }

    private void request(Subscription subscription, String method, Consumer<Outcome> then) {
        var params = "{\"uri\":%s}".formatted(JsonStrings.quote(subscription.place.uri));
        var call = own(subscription, method, params);
        UpstreamParts.sendOwn(
                parts.recovering(attempt -> pool.send(subscription.place.key, attempt, attempt)), call, then);
    }

    private Call own(Subscription subscription, String method, String params) {
        return parts.call(method, method, params, subscription.caller);
    }

    /** The session that a caller's client uses at the moment. */
    private SessionKey key(Caller caller) {
        return pool.current(affinity.key(caller.withoutSession()));
    }

    /** The session for a caller's client: a new one if there is none and the limit allows it, else a shared one. */
    private SessionKey reserve(Caller caller) {
        var own = caller.withoutSession();
        pool.prepare(affinity.key(own), own);
        return key(caller);
    }

    private boolean isConnected(SessionKey key) {
        return pool.open(key).isPresent();
    }

    /** The change notifications of a modern server; empty in the legacy era and while there is no session. */
    private Optional<SubscriptionStream> stream(SessionKey key) {
        return pool.open(key).flatMap(ServerConnection::subscriptions);
    }

    private void answered(Subscription subscription, Outcome outcome) {
        Answered answered;
        List<Member> left = List.of();
        lock.lock();
        try {
            if (isError(outcome)) {
                answered = new Answered(subscription.takeWaiting(), false);
                left = List.copyOf(subscription.members.values());
                subscription.members.clear();
                byPlace.remove(subscription.place, subscription);
            } else {
                answered = subscription.activate();
            }
        } finally {
            lock.unlock();
        }
        left.forEach(member -> member.registration.remove());
        follow(subscription, answered, outcome);
    }

    private void follow(Subscription subscription, Answered answered, Outcome outcome) {
        if (isError(outcome)) {
            answered.waiting.forEach(subscriber -> subscriber.complete(outcome));
        } else {
            answered.waiting.forEach(subscriber -> accepted(subscription.place, subscriber));
        }
        if (answered.ends) {
            unsubscribe(subscription);
        }
    }

    /** The audience is notified in this session, so it leaves others. */
    private void accepted(Place place, Subscriber subscriber) {
        subscriber.complete(ACCEPTED);
        places(place.uri, subscriber.audience).stream()
                .filter(other -> !other.equals(place))
                .forEach(other -> remove(other, subscriber.audience));
        // Its client may have got a session of its own meanwhile.
        move(place, subscriber.caller, subscriber.audience);
    }

    private void unsubscribe(Subscription subscription) {
        var place = subscription.place;
        var stream = stream(place.key);
        if (stream.isPresent()) {
            unwant(stream.get(), place);
            ended(subscription);
        } else if (isConnected(place.key)) {
            request(subscription, Methods.RESOURCES_UNSUBSCRIBE, outcome -> ended(subscription));
        } else {
            ended(subscription);
        }
    }

    private void unwant(SubscriptionStream stream, Place place) {
        if (isWantedElsewhere(place)) {
            return;
        }
        stream.unwant(place.uri);
        if (isWantedElsewhere(place)) {
            // Another client subscribed in between, whose subscription may just have been taken back.
            stream.want(place.uri, why -> {});
        }
    }

    /** A modern server has one session for all callers of a principal, whatever they can be asked. */
    private boolean isWantedElsewhere(Place place) {
        var others = find(other -> !other.place.equals(place)
                && other.place.uri.equals(place.uri)
                && other.place.key.hasSamePrincipal(place.key)
                && !other.members.isEmpty());
        return !others.isEmpty();
    }

    /** The server has unsubscribed; it is asked again if an audience came meanwhile. */
    private void ended(Subscription subscription) {
        lock.lock();
        try {
            if (subscription.members.isEmpty()) {
                byPlace.remove(subscription.place, subscription);
                return;
            }
            subscription.state = State.ASKING;
        } finally {
            lock.unlock();
        }
        subscribe(subscription);
    }

    private static boolean isError(Outcome outcome) {
        return !(outcome instanceof Outcome.Answered answered)
                || answered.response().isError();
    }

    /** A resource in a session of the server. */
    private record Place(SessionKey key, String uri) {

        /** Whether a change of {@code changed} concerns it: a server may report a part of what was subscribed to. */
        private boolean covers(String changed) {
            return changed.equals(uri)
                    || (changed.startsWith(uri) && (uri.endsWith("/") || changed.charAt(uri.length()) == '/'));
        }
    }

    private enum State {
        /** The server is asked to subscribe. */
        ASKING,
        ACTIVE,
        /** The session in which it was active has ended; the next one is asked. */
        RESTORING,
        /** The server is asked to unsubscribe. */
        ENDING
    }

    /** One resource in one session, guarded by the lock. */
    private static final class Subscription {
        private final Place place;
        private final Caller caller;
        private final Map<NotificationSink, Member> members = new HashMap<>();

        /** Their calls end when the server has answered. */
        private final List<Subscriber> waiting = new ArrayList<>();

        private State state = State.ASKING;
        private int restorations;

        /** @param caller the caller of the requests to the server */
        private Subscription(Place place, Caller caller) {
            this.place = place;
            this.caller = caller.withoutSession();
        }

        private boolean isAccepted() {
            return state == State.ACTIVE || state == State.RESTORING;
        }

        private Answered activate() {
            state = State.ACTIVE;
            return new Answered(takeWaiting(), endIfUnwanted());
        }

        private List<Subscriber> takeWaiting() {
            var taken = List.copyOf(waiting);
            waiting.clear();
            return taken;
        }

        private boolean endIfUnwanted() {
            if (!members.isEmpty()) {
                return false;
            }
            state = State.ENDING;
            return true;
        }
    }

    /**
     * An audience of a subscription.
     *
     * @param registration removes the audience when it is gone
     */
    private record Member(Caller caller, Cancellation.Registration registration) {}

    /**
     * What follows from an answer of the server.
     *
     * @param ends whether no audience is left, so that the bridge unsubscribes
     */
    private record Answered(List<Subscriber> waiting, boolean ends) {}

    /** An audience that waits for the server's answer; with the client's call, or for the bridge itself. */
    private static final class Subscriber {
        private final NotificationSink audience;
        private final Caller caller;
        private final @Nullable CallContext call;

        /** Whether the audience was not subscribed before; guarded by the lock. */
        private boolean isNewcomer;

        private Subscriber(NotificationSink audience, Caller caller, @Nullable CallContext call) {
            this.audience = audience;
            this.caller = caller;
            this.call = call;
        }

        private void complete(Outcome outcome) {
            if (call != null) {
                call.complete(outcome);
            }
        }
    }
}
