package io.mcpbridge.upstream.listening;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.mcpbridge.call.Audience;
import io.mcpbridge.call.Call;
import io.mcpbridge.call.Caller;
import io.mcpbridge.call.Outcome;
import io.mcpbridge.call.Reply;
import io.mcpbridge.message.JsonText;
import io.mcpbridge.message.Message;
import io.mcpbridge.message.MessageId;
import io.mcpbridge.message.Methods;
import io.mcpbridge.message.Notification;
import io.mcpbridge.message.Part;
import io.mcpbridge.message.Response;
import io.mcpbridge.upstream.session.SessionKey;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/**
 * Who wants to hear of changes of one server's resources. The server is asked once per resource, however many listen.
 * Any thread.
 */
public final class ResourceSubscriptions {

    /** Whose session of the server is used, and for which resource. */
    private record Place(SessionKey key, String uri) {}

    private record Waiting(Call call, Reply reply) {}

    /** One subscription at the server. */
    private static final class Subscription {
        private final Caller caller;
        private final Set<Audience> audiences = new HashSet<>();
        private final List<Waiting> waiting = new ArrayList<>();
        private boolean isActive;

        private Subscription(Caller caller) {
            this.caller = caller;
        }
    }

    private final SubscribedServer server;
    private final ReentrantLock lock = new ReentrantLock();

    @GuardedBy("lock")
    private final Map<Place, Subscription> table = new LinkedHashMap<>();

    /** Makes the subscriptions of one server, of which there are none yet. */
    public ResourceSubscriptions(SubscribedServer server) {
        this.server = server;
    }

    /**
     * Has {@code audience} told of every change of the resource until it is gone or removed.
     *
     * @param call whose caller's session of the server is used
     * @param reply hears an empty result, or why the server does not take it
     */
    public void add(Call call, String uri, Audience audience, Reply reply) {
        var place = place(call, uri);
        boolean isKnown;
        boolean isActive;
        boolean isNew;
        Subscription subscription;
        lock.lock();
        try {
            isKnown = table.containsKey(place);
            subscription = table.computeIfAbsent(
                    place, absent -> new Subscription(call.caller().withoutSession()));
            isNew = subscription.audiences.add(audience);
            isActive = subscription.isActive;
            if (!isActive) {
                subscription.waiting.add(new Waiting(call, reply));
            }
        } finally {
            lock.unlock();
        }
        if (isActive) {
            reply.done(done(call));
        } else if (!isKnown) {
            begin(place, subscription);
        }
        if (isNew) {
            audience.onGone(() -> remove(place, audience));
        }
    }

    /** Ends what {@link #add} began; the server is told when nobody else listens. */
    public void remove(Call call, String uri, Audience audience) {
        remove(place(call, uri), audience);
    }

    private Place place(Call call, String uri) {
        return new Place(server.key(call.caller()), uri);
    }

    private void remove(Place place, Audience audience) {
        Subscription ended;
        lock.lock();
        try {
            var subscription = table.get(place);
            if (subscription == null || !subscription.audiences.remove(audience) || !subscription.audiences.isEmpty()) {
                return;
            }
            table.remove(place);
            if (!subscription.isActive) {
                // The server has not said whether it takes it; settling ends it if it does.
                return;
            }
            ended = subscription;
        } finally {
            lock.unlock();
        }
        end(place, ended);
    }

    private void begin(Place place, Subscription subscription) {
        server.connect(subscription.caller, new Ended(connected -> {
            if (isError(connected)) {
                settle(place, subscription, connected);
            } else {
                subscribe(place, subscription);
            }
        }));
    }

    private void subscribe(Place place, Subscription subscription) {
        var listening = server.listening(subscription.caller);
        if (listening.isPresent()) {
            listening.get().want(place.uri, why -> {
                var taken = Outcome.answered(Response.result(MessageId.of(0), "{}"));
                settle(place, subscription, why.<Outcome>map(Outcome::failed).orElse(taken));
            });
            return;
        }
        server.ask(
                subscription.caller,
                Methods.RESOURCES_SUBSCRIBE,
                params(place.uri),
                new Ended(outcome -> settle(place, subscription, outcome)));
    }

    /** The server has taken the subscription or not; whoever waits hears it, and may be gone by now. */
    private void settle(Place place, Subscription subscription, Outcome outcome) {
        List<Waiting> waiting;
        var isTaken = !isError(outcome);
        boolean isUnwanted;
        lock.lock();
        try {
            waiting = List.copyOf(subscription.waiting);
            subscription.waiting.clear();
            subscription.isActive = isTaken;
            isUnwanted = subscription.audiences.isEmpty();
            if (!isTaken || isUnwanted) {
                table.remove(place, subscription);
            }
        } finally {
            lock.unlock();
        }
        waiting.forEach(each -> each.reply.done(isTaken ? done(each.call) : outcome));
        if (isTaken && isUnwanted) {
            end(place, subscription);
        }
    }

    private void end(Place place, Subscription subscription) {
        var listening = server.listening(subscription.caller);
        if (listening.isPresent()) {
            // A modern server has one session for all callers of a principal, whatever they can be asked.
            if (!isWanted(other -> other.uri.equals(place.uri) && other.key.hasSamePrincipal(place.key))) {
                listening.get().unwant(place.uri);
            }
        } else if (!isWanted(place::equals) && server.isConnected(subscription.caller)) {
            server.ask(subscription.caller, Methods.RESOURCES_UNSUBSCRIBE, params(place.uri), new Ended(outcome -> {}));
        }
    }

    private boolean isWanted(Predicate<Place> by) {
        lock.lock();
        try {
            return table.keySet().stream().anyMatch(by);
        } finally {
            lock.unlock();
        }
    }

    /** What is to be asked of a modern session that has just begun. */
    public Set<String> wanted(SessionKey key) {
        return active(key::hasSamePrincipal).stream().map(Place::uri).collect(Collectors.toSet());
    }

    /** Asks a new legacy session for what the one before it told of. */
    public void restore(SessionKey key) {
        for (var place : active(key::equals)) {
            Subscription subscription;
            lock.lock();
            try {
                subscription = table.get(place);
            } finally {
                lock.unlock();
            }
            if (subscription != null) {
                server.ask(subscription.caller, Methods.RESOURCES_SUBSCRIBE, params(place.uri), new Ended(outcome -> {
                    if (isError(outcome)) {
                        server.dropped("the server does not take '%s' up again".formatted(place.uri));
                    }
                }));
            }
        }
    }

    private Collection<Place> active(Predicate<SessionKey> whose) {
        lock.lock();
        try {
            return table.entrySet().stream()
                    .filter(each -> each.getValue().isActive && whose.test(each.getKey().key))
                    .map(Map.Entry::getKey)
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
            told = table.entrySet().stream()
                    .filter(each -> whose.test(each.getKey().key) && isWithin(uri, each.getKey().uri))
                    .flatMap(each -> each.getValue().audiences.stream())
                    .collect(Collectors.toSet());
        } finally {
            lock.unlock();
        }
        told.forEach(audience -> audience.tell(notification));
        return !told.isEmpty();
    }

    /** A server may tell of a part of what was subscribed to. */
    private static boolean isWithin(String uri, String subscribed) {
        return uri.equals(subscribed)
                || (uri.startsWith(subscribed) && (subscribed.endsWith("/") || uri.charAt(subscribed.length()) == '/'));
    }

    private static String params(String uri) {
        return "{\"uri\":" + JsonText.quote(uri) + "}";
    }

    private static Outcome done(Call call) {
        return Outcome.answered(Response.result(call.request().id(), "{}"));
    }

    private static boolean isError(Outcome outcome) {
        return !(outcome instanceof Outcome.Answered answered)
                || answered.response().isError();
    }

    private record Ended(Consumer<Outcome> then) implements Reply {

        @Override
        public void event(Message progressOrLog) {}

        @Override
        public void done(Outcome outcome) {
            then.accept(outcome);
        }
    }
}
