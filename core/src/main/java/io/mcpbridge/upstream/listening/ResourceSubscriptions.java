package io.mcpbridge.upstream.listening;

import io.mcpbridge.call.Audience;
import io.mcpbridge.call.Call;
import io.mcpbridge.call.Reply;
import io.mcpbridge.message.Notification;
import io.mcpbridge.message.Part;
import io.mcpbridge.upstream.listening.Subscription.Place;
import io.mcpbridge.upstream.session.SessionKey;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/**
 * Who wants to hear of changes of one server's resources. The server is asked once per resource and session, however
 * many listen. Any thread.
 */
public final class ResourceSubscriptions {
    private final SubscribedServer server;
    private final Audiences audiences = new Audiences();
    private final SubscriptionTable table = new SubscriptionTable(audiences);
    private final SubscriptionUpkeep upkeep;

    /** Makes the subscriptions of one server, of which there are none yet. */
    public ResourceSubscriptions(SubscribedServer server) {
        this.server = server;
        this.upkeep = new SubscriptionUpkeep(server, table, audiences);
    }

    /**
     * Has {@code audience} told of every change of the resource until it is gone or removed.
     *
     * @param call whose caller's session of the server is used
     * @param reply hears an empty result, or why the server does not take it
     */
    public void add(Call call, String uri, Audience audience, Reply reply) {
        var place = new Place(server.place(call.caller()), uri);
        upkeep.add(place, new SubscribeCall(call, audience, reply));
    }

    /** How many resources of this server {@code audience} is told of. */
    public int count(Audience audience) {
        return audiences.count(audience);
    }

    /** How many resources the server tells of for all audiences together, counted once for each session. */
    public int count() {
        return table.size();
    }

    /** Ends what {@link #add} began, wherever that was; the server is told when nobody else listens. */
    public void remove(String uri, Audience audience) {
        audiences.places(audience, uri).forEach(place -> upkeep.remove(place, audience));
    }

    /** Whether somebody subscribed in the session of {@code key}, or in one that a modern server would share with it. */
    public boolean isUsed(Predicate<SessionKey> whose) {
        return !table.taken(whose).isEmpty();
    }

    /** What is to be asked of a modern session that has just begun. */
    public Set<String> wanted(SessionKey key) {
        return table.taken(key::hasSamePrincipal).stream()
                .map(subscription -> subscription.place().uri())
                .collect(Collectors.toSet());
    }

    /** Asks a new legacy session for what the one before it told of, and for what its clients wanted elsewhere. */
    public void restore(SessionKey key) {
        upkeep.restore(key);
        gather(key);
    }

    /** Legacy clients may have subscribed in a session that they joined while there was no room for their own. */
    private void gather(SessionKey key) {
        audiences.wishes().stream()
                .filter(wish -> server.key(wish.caller()).equals(key) && table.isTaken(wish.place()))
                .forEach(wish -> upkeep.move(wish.place(), wish.caller(), wish.audience()));
    }

    /** Passes a {@code notifications/resources/updated} on to whoever listens; false if nobody does. */
    public boolean updated(Predicate<SessionKey> whose, Notification notification) {
        var told = table.concerned(whose, notification.text(Part.URI).orElse(""));
        told.forEach(audience -> audience.tell(notification));
        return !told.isEmpty();
    }
}
