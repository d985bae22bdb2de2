package io.mcpbridge.upstream.listening;

import io.mcpbridge.call.Audience;
import io.mcpbridge.call.Caller;
import io.mcpbridge.call.Outcome;
import io.mcpbridge.message.Methods;
import io.mcpbridge.upstream.listening.Subscription.Place;
import io.mcpbridge.upstream.session.SessionKey;
import java.util.List;

/** Has a server tell of what its {@link SubscriptionTable} wants, and of nothing else. Any thread; nothing here waits. */
final class SubscriptionUpkeep {
    private final SubscribedServer server;
    private final SubscriptionTable table;
    private final Audiences audiences;
    private final SubscriptionWire wire;

    SubscriptionUpkeep(SubscribedServer server, SubscriptionTable table, Audiences audiences) {
        this.server = server;
        this.table = table;
        this.audiences = audiences;
        this.wire = new SubscriptionWire(server);
    }

    /** Has the audience of {@code call} told of a resource, and ends the call when the server has answered. */
    void add(Place place, SubscribeCall call) {
        var joined = table.join(place, call);
        if (joined.isNewcomer()) {
            audiences.watch(call.audience(), place, () -> remove(place, call.audience()));
        }
        if (joined.isActive()) {
            taken(place, call);
            return;
        }
        call.watch(withdrawn -> withdraw(joined.subscription(), withdrawn));
        if (joined.isUnasked()) {
            begin(joined.subscription());
        }
    }

    /** Has the audience told of a resource no more. */
    void remove(Place place, Audience audience) {
        table.leave(place, audience).ifPresent(left -> {
            left.registration().remove();
            if (left.ends()) {
                end(left.subscription());
            }
        });
    }

    /** A call that waits has ended otherwise; its audience is told of nothing unless it was before, or another call wants it. */
    private void withdraw(Subscription subscription, SubscribeCall call) {
        if (table.withdraw(subscription, call)) {
            remove(subscription.place(), call.audience());
        }
    }

    private void begin(Subscription subscription) {
        wire.subscribe(subscription, outcome -> answered(subscription, outcome));
    }

    /** The server has taken the subscription or not; whoever waits hears it, and may be gone by now. */
    private void answered(Subscription subscription, Outcome outcome) {
        var answered = SubscriptionWire.isError(outcome) ? table.refused(subscription) : table.taken(subscription);
        answered.left().forEach(Audience.Registration::remove);
        follow(subscription, answered, outcome);
    }

    private void follow(Subscription subscription, SubscriptionTable.Answered answered, Outcome outcome) {
        tell(subscription, answered.waiting(), outcome);
        if (answered.ends()) {
            end(subscription);
        }
    }

    private void tell(Subscription subscription, List<SubscribeCall> waiting, Outcome outcome) {
        if (SubscriptionWire.isError(outcome)) {
            waiting.forEach(call -> call.end(outcome));
        } else {
            waiting.forEach(call -> taken(subscription.place(), call));
        }
    }

    /** The audience hears of the resource in this place, so it need not in another one. */
    private void taken(Place place, SubscribeCall call) {
        call.taken();
        audiences.places(call.audience(), place.uri()).stream()
                .filter(other -> !other.equals(place))
                .forEach(other -> remove(other, call.audience()));
        // Its client may have got a session of its own meanwhile.
        move(place, call.caller(), call.audience());
    }

    /** Has the audience hear of a resource in its client's own legacy session, if that is there and is another one. */
    void move(Place place, Caller caller, Audience audience) {
        var key = server.key(caller);
        if (key.equals(place.key())
                || !server.isConnected(key)
                || server.listening(key).isPresent()) {
            return;
        }
        var call = server.own(caller, Methods.RESOURCES_SUBSCRIBE, SubscriptionWire.params(place.uri()));
        add(new Place(key, place.uri()), SubscribeCall.ofNobody(call, audience));
    }

    private void end(Subscription subscription) {
        wire.unsubscribe(subscription, () -> table.isWantedElsewhere(subscription.place()), () -> ended(subscription));
    }

    private void ended(Subscription subscription) {
        if (table.ended(subscription)) {
            begin(subscription);
        }
    }

    /** Asks a new legacy session for what the one before it told of. */
    void restore(SessionKey key) {
        for (var subscription : table.taken(key::equals)) {
            var session = table.restore(subscription);
            if (session > 0) {
                wire.request(
                        subscription, Methods.RESOURCES_SUBSCRIBE, outcome -> restored(subscription, session, outcome));
            }
        }
    }

    private void restored(Subscription subscription, int session, Outcome outcome) {
        table.restored(subscription, session).ifPresent(answered -> {
            if (SubscriptionWire.isError(outcome)) {
                server.dropped("the server does not take '%s' up again"
                        .formatted(subscription.place().uri()));
                answered.waiting().stream()
                        .filter(SubscribeCall::isNewcomer)
                        .forEach(call -> remove(subscription.place(), call.audience()));
            }
            follow(subscription, answered, outcome);
        });
    }
}
