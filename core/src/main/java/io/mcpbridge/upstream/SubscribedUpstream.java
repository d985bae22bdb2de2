package io.mcpbridge.upstream;

import io.mcpbridge.call.Call;
import io.mcpbridge.call.Caller;
import io.mcpbridge.call.Handler;
import io.mcpbridge.call.Reply;
import io.mcpbridge.message.MessageId;
import io.mcpbridge.message.Methods;
import io.mcpbridge.message.Request;
import io.mcpbridge.upstream.listening.Listening;
import io.mcpbridge.upstream.listening.SubscribedServer;
import io.mcpbridge.upstream.session.SessionKey;
import java.util.Optional;

/** The sessions of an upstream for whoever subscribes to its resources. */
final class SubscribedUpstream implements SubscribedServer {
    private final Upstream upstream;
    private final UpstreamParts parts;
    private final SessionSlots slots;
    private final DropCounter dropped;

    SubscribedUpstream(Upstream upstream, UpstreamParts parts, SessionSlots slots, DropCounter dropped) {
        this.upstream = upstream;
        this.parts = parts;
        this.slots = slots;
        this.dropped = dropped;
    }

    @Override
    public SessionKey key(Caller caller) {
        return slots.key(caller.withoutSession());
    }

    @Override
    public boolean isConnected(Caller caller) {
        return slots.isConnected(caller);
    }

    @Override
    public Optional<Listening> listening(Caller caller) {
        return slots.session(caller).flatMap(UpstreamSession::listening);
    }

    @Override
    public void connect(Caller caller, Reply reply) {
        send(caller, Methods.INITIALIZE, "{}", reply, upstream::connect);
    }

    @Override
    public void ask(Caller caller, String method, String params, Reply reply) {
        send(caller, method, params, reply, upstream);
    }

    private void send(Caller caller, String method, String params, Reply reply, Handler handler) {
        var deadline = parts.deadline();
        var call = Call.of(Request.of(MessageId.of(0), method, params), caller, method + "-" + parts.name(), deadline);
        OwnRequest.send(handler, call, reply::done);
    }

    @Override
    public void dropped(String what) {
        dropped.count(what);
    }
}
