package io.mcpbridge.downstream.listening;

import io.mcpbridge.call.Audience;
import io.mcpbridge.call.Caller;
import io.mcpbridge.era.AnswerDress;
import io.mcpbridge.message.EnvelopeKeys;
import io.mcpbridge.message.Methods;
import io.mcpbridge.message.Notification;
import io.mcpbridge.message.Request;
import io.mcpbridge.message.Response;
import io.mcpbridge.spi.Ending;
import io.mcpbridge.spi.Exchange;
import java.time.Instant;
import java.util.Set;

/**
 * One {@code subscriptions/listen} of a client, from its acknowledgement to its end. Any thread.
 *
 * <p>Whatever it says carries the id of the request. Before the acknowledgement nothing is said.
 */
public final class ClientListen implements Audience {
    /** Hears nothing yet, or nothing any more. */
    private static final ClientListenFilter DEAF = new ClientListenFilter(Set.of(), Set.of());

    private final Request request;
    private final Exchange exchange;
    private final String serverInfo;
    private final Instant since;
    private final Caller caller;
    private final Departure departure = new Departure();
    private volatile ClientListenFilter filter = DEAF;

    /** @param from whoever listens; the stream becomes its audience */
    ClientListen(Request request, Exchange exchange, Caller.Builder from, String serverInfo, Instant since) {
        this.request = request;
        this.exchange = exchange;
        this.serverInfo = serverInfo;
        this.since = since;
        this.caller = from.audience(this).build();
    }

    /** Whoever listens. */
    public Caller caller() {
        return caller;
    }

    /** When it began. */
    public Instant since() {
        return since;
    }

    /** Acknowledges what is listened to from now on; a stream that would never say anything ends at once. */
    void open(ClientListenFilter granted) {
        var params = "{\"notifications\":" + granted.json() + "}";
        exchange.offer(stamped(Notification.of(Methods.SUBSCRIPTIONS_ACKNOWLEDGED, params)));
        filter = granted;
        if (granted.isEmpty()) {
            end();
        }
    }

    /** Passes on what the client listens to: changes of lists, and what servers tell of its resources. */
    @Override
    public void tell(Notification notification) {
        if (filter.wants(notification)) {
            exchange.offer(stamped(notification));
        }
    }

    private Notification stamped(Notification notification) {
        return (Notification) notification
                .splice()
                .putMeta(EnvelopeKeys.SUBSCRIPTION_ID, request.id().raw())
                .done();
    }

    @Override
    public Registration onGone(Runnable action) {
        return departure.then(action);
    }

    /** Ends the stream in good order. */
    public void end() {
        var meta = "{\"_meta\":{\"%s\":%s}}"
                .formatted(EnvelopeKeys.SUBSCRIPTION_ID, request.id().raw());
        var result = AnswerDress.modern(Response.result(request.id(), meta), request, serverInfo);
        exchange.end(Ending.answer(result));
        departure.happen();
    }

    /** The client has cancelled it or has left; there is nothing to say any more. */
    public void leave() {
        exchange.end(Ending.empty());
        departure.happen();
    }
}
