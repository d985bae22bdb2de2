package io.mcpbridge.upstream;

import io.mcpbridge.call.Call;
import io.mcpbridge.call.Caller;
import io.mcpbridge.call.Reply;
import io.mcpbridge.message.MessageId;
import io.mcpbridge.message.Request;
import io.mcpbridge.upstream.listening.Listening;
import io.mcpbridge.upstream.listening.SubscribedServer;
import io.mcpbridge.upstream.session.SessionKey;
import java.util.Optional;

/** The sessions of an upstream for whoever subscribes to its resources. */
final class SubscribedUpstream implements SubscribedServer {
    private final UpstreamSessions sessions;
    private final UpstreamParts parts;
    private final SessionSlots slots;
    private final DropCounter dropped;

    SubscribedUpstream(UpstreamSessions sessions, UpstreamParts parts, SessionSlots slots, DropCounter dropped) {
        this.sessions = sessions;
        this.parts = parts;
        this.slots = slots;
        this.dropped = dropped;
    }

    @Override
    public SessionKey key(Caller caller) {
        return slots.current(caller.withoutSession());
    }

    @Override
    public SessionKey place(Caller caller) {
        var own = caller.withoutSession();
        slots.use(slots.key(own), own, slot -> {});
        return slots.current(own);
    }

    @Override
    public boolean isConnected(SessionKey key) {
        return slots.isConnected(key);
    }

    @Override
    public Optional<Listening> listening(SessionKey key) {
        return slots.open(key).flatMap(session -> session.attendants().listening());
    }

    @Override
    public Call own(Caller caller, String method, String params) {
        var request = Request.of(MessageId.of(0), method, params);
        return Call.of(request, caller.withoutSession(), method + "-" + parts.name(), parts.deadline());
    }

    @Override
    public void connect(SessionKey key, Call call, Reply reply) {
        OwnRequest.send((sent, told) -> sessions.connect(key, sent, told), call, reply::done);
    }

    @Override
    public void ask(SessionKey key, Call call, Reply reply) {
        OwnRequest.send((sent, told) -> sessions.send(key, sent, told), call, reply::done);
    }

    @Override
    public void dropped(String what) {
        dropped.count(what);
    }
}
