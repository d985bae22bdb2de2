package io.mcpbridge.engine.upstream;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.mcpbridge.call.Call;
import io.mcpbridge.call.Caller;
import io.mcpbridge.call.CancelReason;
import io.mcpbridge.call.NotificationSink;
import io.mcpbridge.call.OneShotEnd;
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
import java.util.function.BiPredicate;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The subscriptions of clients to resources of one server. Any thread; nothing here waits.
 *
 * <p>The bridge subscribes once per resource and session, whatever the number of clients: at a legacy server with
 * requests, at a modern one with the {@link SubscriptionStream} of the session. Each subscription has at most one
 * request in flight; later changes are sent after the server has answered it. The lock guards the whole state and is
 * not held during calls to servers, calls or clients.
 */
public final class ResourceSubscriptions {
    private static final Outcome ACCEPTED = Outcome.answered(Response.result(MessageId.of(0), "{}"));

    private final UpstreamParts parts;
    private final ConnectionPool pool;
    private final ClientAffinity affinity;
    private final DropCounter dropped;
    private final ReentrantLock lock = new ReentrantLock();

    @GuardedBy("lock")
    private final Map<Place, Subscription> byPlace = new LinkedHashMap<>();

    /** @param dropped counts messages without a recipient and failed requests of the bridge */
    ResourceSubscriptions(UpstreamParts parts, ConnectionPool pool, ClientAffinity affinity, DropCounter dropped) {
        this.parts = parts;
        this.pool = pool;
        this.affinity = affinity;
        this.dropped = dropped;
    }

    /**
     * Subscribes {@code sink} to every change of the resource, until it is gone or removed.
     *
     * @param call completes with an empty result, or with the reason why the server refuses; its caller's session is
     *     used
     */
    public void add(CallContext call, String uri, NotificationSink sink) {
        var place = new Place(reserve(call.caller()), uri);
        add(place, new Subscriber(sink, call.caller(), call));
    }

    private void add(Place place, Subscriber subscriber) {
        var sink = subscriber.sink;
        var member = new Member(subscriber.caller);
        Subscription subscription;
        boolean isUnasked;
        boolean isActive;
        boolean isNewcomer;
        lock.lock();
        try {
            isUnasked = !byPlace.containsKey(place);
            subscription = byPlace.computeIfAbsent(place, absent -> new Subscription(place, subscriber.caller));
            isNewcomer = subscription.members.putIfAbsent(sink, member) == null;
            isActive = subscription.state == State.ACTIVE;
            member.isConfirmed = isActive;
            if (!isActive) {
                subscription.waiting.add(subscriber);
            }
        } finally {
            lock.unlock();
        }
        if (isNewcomer) {
            // Registers without the lock, since the action may run in this thread.
            member.end.releasing(sink.onClosed(() -> remove(place, sink))::remove);
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

    /** Cancels a waiting subscriber and removes its sink, unless another waiting call needs the sink. */
    private void cancel(Subscriber subscriber, CallContext call, Subscription subscription, CancelReason reason) {
        boolean leaves;
        lock.lock();
        try {
            if (!subscription.waiting.remove(subscriber)) {
                return;
            }
            var member = subscription.members.get(subscriber.sink);
            leaves = member != null
                    && !member.isConfirmed
                    && subscription.waiting.stream().noneMatch(other -> other.sink == subscriber.sink);
        } finally {
            lock.unlock();
        }
        if (leaves) {
            remove(subscription.place, subscriber.sink);
        }
        var words = "'%s' waited for the server's answer and was withdrawn: %s"
                .formatted(call.request().method(), reason.text());
        call.complete(Outcome.failed(Failure.of(reason.code(), words)));
    }

    /** How many resources of this server {@code sink} has subscribed to. */
    public int count(NotificationSink sink) {
        return find(each -> each.members.containsKey(sink)).size();
    }

    /** Returns the number of subscriptions at the server, for all sinks together. */
    public int count() {
        return find(each -> true).size();
    }

    /** Returns the subscriptions that currently match {@code condition}. */
    private List<Subscription> find(Predicate<Subscription> condition) {
        lock.lock();
        try {
            return byPlace.values().stream().filter(condition).toList();
        } finally {
            lock.unlock();
        }
    }

    /**
     * Removes a sink from the subscriptions to a resource, in every session. Unsubscribes at the server when no sink is
     * left.
     */
    public void remove(String uri, NotificationSink sink) {
        places(uri, sink).forEach(place -> remove(place, sink));
    }

    /** Removes the subscriptions to which {@code isGranted} does not hold, by their callers and resources. */
    public void removeUnless(BiPredicate<Caller, String> isGranted) {
        var removals = new ArrayList<Runnable>();
        lock.lock();
        try {
            byPlace.forEach((place, subscription) -> subscription.members.forEach((sink, member) -> {
                if (!isGranted.test(member.caller, place.uri)) {
                    removals.add(() -> remove(place, sink));
                }
            }));
        } finally {
            lock.unlock();
        }
        removals.forEach(Runnable::run);
    }

    /** Returns the sessions in which the sink has subscribed to the resource; more than one while it moves. */
    private List<Place> places(String uri, NotificationSink sink) {
        return find(each -> each.place.uri.equals(uri) && each.members.containsKey(sink)).stream()
                .map(each -> each.place)
                .toList();
    }

    private void remove(Place place, NotificationSink sink) {
        Subscription subscription;
        Member left;
        boolean ends;
        lock.lock();
        try {
            subscription = byPlace.get(place);
            left = subscription == null ? null : subscription.members.remove(sink);
            if (subscription == null || left == null) {
                return;
            }
            // In another state, the pending answer of the server decides how the subscription continues.
            ends = subscription.state == State.ACTIVE && subscription.endIfUnwanted();
        } finally {
            lock.unlock();
        }
        left.end.end();
        if (ends) {
            unsubscribe(subscription);
        }
    }

    /**
     * Whether a client subscribed in this session.
     *
     * @param isModern whether the session serves all callers of its principal
     */
    boolean isUsed(SessionKey key, boolean isModern) {
        return !accepted(sharing(key, isModern)).isEmpty();
    }

    private static Predicate<SessionKey> sharing(SessionKey key, boolean isModern) {
        return isModern ? key::hasSamePrincipal : key::equals;
    }

    /** Returns the resources to subscribe to in a new modern session. */
    Set<String> wanted(SessionKey key) {
        return accepted(key::hasSamePrincipal).stream()
                .map(subscription -> subscription.place.uri)
                .collect(Collectors.toSet());
    }

    /** Returns the subscriptions that the server accepted in these sessions, or in sessions before them. */
    private List<Subscription> accepted(Predicate<SessionKey> whose) {
        return find(each -> each.isAccepted() && whose.test(each.place.key));
    }

    /** Passes a {@code notifications/resources/updated} on to the sinks; returns false if there are none. */
    boolean updated(SessionKey key, boolean isModern, Notification notification) {
        var whose = sharing(key, isModern);
        var uri = notification.text(MessageField.URI).orElse("");
        var sinks = sinks(place -> whose.test(place.key) && place.covers(uri));
        sinks.forEach(sink -> sink.send(notification));
        return !sinks.isEmpty();
    }

    /** Passes a log message that belongs to no call to the client of the session, or to its only subscriber. */
    void log(SessionKey key, Notification message) {
        var sinks = sinks(place -> place.key.equals(key));
        affinity.owner(key)
                .client()
                .map(Caller::notificationSink)
                .or(() -> sinks.stream().findFirst().filter(only -> sinks.size() == 1))
                .ifPresentOrElse(
                        client -> client.send(message),
                        () -> dropped.count("a notification that belongs to no call: " + message));
    }

    private Set<NotificationSink> sinks(Predicate<Place> where) {
        lock.lock();
        try {
            return byPlace.values().stream()
                    .filter(each -> where.test(each.place))
                    .flatMap(each -> each.members.keySet().stream())
                    .collect(Collectors.toSet());
        } finally {
            lock.unlock();
        }
    }

    /**
     * Restores the subscriptions of the previous session in a new legacy session, and moves those that its clients made
     * in shared sessions.
     */
    void restore(SessionKey key) {
        for (var subscription : accepted(key::equals)) {
            if (beginRestoring(subscription)) {
                request(
                        subscription,
                        Methods.RESOURCES_SUBSCRIBE,
                        outcome -> answered(subscription, State.RESTORING, outcome));
            }
        }
        moveToOwnSessions();
    }

    private boolean beginRestoring(Subscription subscription) {
        lock.lock();
        try {
            var isAccepted = subscription.isAccepted();
            if (isAccepted) {
                subscription.state = State.RESTORING;
            }
            return isAccepted;
        } finally {
            lock.unlock();
        }
    }

    /**
     * Moves subscriptions of legacy clients to their new session. They may have subscribed in a shared session at the
     * connection limit.
     */
    private void moveToOwnSessions() {
        var moves = new ArrayList<Runnable>();
        lock.lock();
        try {
            byPlace.values().stream()
                    .filter(Subscription::isAccepted)
                    .forEach(each -> each.members.forEach(
                            (sink, member) -> moves.add(() -> move(each.place, member.caller, sink))));
        } finally {
            lock.unlock();
        }
        moves.forEach(Runnable::run);
    }

    /** Subscribes in the client's own legacy session, if it is open and another one. */
    private void move(Place place, Caller caller, NotificationSink sink) {
        var key = key(caller);
        if (!key.equals(place.key) && isConnected(key) && stream(key).isEmpty()) {
            add(new Place(key, place.uri), new Subscriber(sink, caller.withoutSession(), null));
        }
    }

    private void subscribe(Subscription subscription) {
        var call = own(subscription, Methods.INITIALIZE, "{}");
        UpstreamParts.sendOwn((sent, result) -> pool.connect(subscription.place.key, sent, result), call, connected -> {
            if (isError(connected)) {
                answered(subscription, State.ASKING, connected);
                return;
            }
            var stream = stream(subscription.place.key);
            if (stream.isEmpty()) {
                request(
                        subscription,
                        Methods.RESOURCES_SUBSCRIBE,
                        outcome -> answered(subscription, State.ASKING, outcome));
                return;
            }
            stream.get()
                    .want(
                            subscription.place.uri,
                            why -> answered(
                                    subscription,
                                    State.ASKING,
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

    /** Returns the session that a caller's client currently uses. */
    private SessionKey key(Caller caller) {
        return pool.current(affinity.key(caller.withoutSession()));
    }

    /** Returns the session for a caller's client: its own, a new one within the limit, or else a shared one. */
    private SessionKey reserve(Caller caller) {
        var own = caller.withoutSession();
        pool.prepare(affinity.key(own), own);
        return key(caller);
    }

    private boolean isConnected(SessionKey key) {
        return pool.open(key).isPresent();
    }

    /** Returns the subscription stream of a modern server; empty in the legacy era and without a session. */
    private Optional<SubscriptionStream> stream(SessionKey key) {
        return pool.open(key).flatMap(ServerConnection::subscriptions);
    }

    /**
     * Takes the answer to a subscribe request. If the server refuses, those sinks stay that a session before accepted,
     * since the next session may accept the subscription again.
     *
     * @param asked the state in which the request was sent
     */
    private void answered(Subscription subscription, State asked, Outcome outcome) {
        var isError = isError(outcome);
        List<Subscriber> waiting;
        List<Member> left;
        boolean ends;
        lock.lock();
        try {
            if (subscription.state != asked) {
                return;
            }
            waiting = List.copyOf(subscription.waiting);
            subscription.waiting.clear();
            left = isError ? subscription.removeUnconfirmed() : List.of();
            ends = subscription.activate();
            if (isError && asked == State.ASKING) {
                byPlace.remove(subscription.place, subscription);
                ends = false;
            }
        } finally {
            lock.unlock();
        }
        left.forEach(member -> member.end.end());
        if (isError) {
            if (asked == State.RESTORING) {
                dropped.count("the server does not take '%s' up again".formatted(subscription.place.uri));
            }
            waiting.forEach(subscriber -> subscriber.complete(outcome));
        } else {
            waiting.forEach(subscriber -> accepted(subscription.place, subscriber));
        }
        if (ends) {
            unsubscribe(subscription);
        }
    }

    /** Removes the sink from other sessions, since it now receives notifications in this one. */
    private void accepted(Place place, Subscriber subscriber) {
        subscriber.complete(ACCEPTED);
        places(place.uri, subscriber.sink).stream()
                .filter(other -> !other.equals(place))
                .forEach(other -> remove(other, subscriber.sink));
        // Its client may have its own session by now.
        move(place, subscriber.caller, subscriber.sink);
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
            // Another client subscribed meanwhile; this unsubscribe may have undone its subscription.
            stream.want(place.uri, why -> {});
        }
    }

    /** Whether another key wants this resource; a modern server has one session for all callers of a principal. */
    private boolean isWantedElsewhere(Place place) {
        var others = find(other -> !other.place.equals(place)
                && other.place.uri.equals(place.uri)
                && other.place.key.hasSamePrincipal(place.key)
                && !other.members.isEmpty());
        return !others.isEmpty();
    }

    /** Removes a subscription after the server has unsubscribed; subscribes again if a sink was added meanwhile. */
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

        /**
         * Whether a change of {@code changed} concerns this resource; a server may report a part of a subscribed
         * resource.
         */
        private boolean covers(String changed) {
            return changed.equals(uri)
                    || (changed.startsWith(uri) && (uri.endsWith("/") || changed.charAt(uri.length()) == '/'));
        }
    }

    private enum State {
        /** The subscribe request is in flight. */
        ASKING,
        ACTIVE,
        /** The session in which it was active has ended; the subscribe request in the next one is in flight. */
        RESTORING,
        /** The unsubscribe request is in flight. */
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

        /** @param caller the caller of the requests to the server */
        private Subscription(Place place, Caller caller) {
            this.place = place;
            this.caller = caller.withoutSession();
        }

        private boolean isAccepted() {
            return state == State.ACTIVE || state == State.RESTORING;
        }

        /** Confirms all sinks; returns whether none is left, so that the subscription ends. */
        private boolean activate() {
            state = State.ACTIVE;
            members.values().forEach(member -> member.isConfirmed = true);
            return endIfUnwanted();
        }

        private List<Member> removeUnconfirmed() {
            var removed = members.values().stream()
                    .filter(member -> !member.isConfirmed)
                    .toList();
            members.values().removeAll(removed);
            return removed;
        }

        private boolean endIfUnwanted() {
            if (!members.isEmpty()) {
                return false;
            }
            state = State.ENDING;
            return true;
        }
    }

    /** A sink of a subscription. */
    private static final class Member {
        private final Caller caller;

        /** Ends the wait for the end of the sink. */
        private final OneShotEnd end = new OneShotEnd();

        /** Whether the server has accepted the subscription while the sink was there; guarded by the lock. */
        private boolean isConfirmed;

        private Member(Caller caller) {
            this.caller = caller;
        }
    }

    /**
     * A sink that waits for the server's answer.
     *
     * @param call the client's call; null for the bridge itself
     */
    private record Subscriber(
            NotificationSink sink, Caller caller, @Nullable CallContext call) {

        private void complete(Outcome outcome) {
            if (call != null) {
                call.complete(outcome);
            }
        }
    }
}
