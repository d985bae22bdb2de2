package io.mcpbridge.transport.http.listener;

import io.mcpbridge.call.Metadata;
import io.mcpbridge.call.Principal;
import io.mcpbridge.failure.ProtocolException;
import io.mcpbridge.message.Batch;
import io.mcpbridge.message.Limits;
import io.mcpbridge.message.Message;
import io.mcpbridge.spi.Exchange.Kind;
import io.mcpbridge.spi.Peer;
import io.mcpbridge.spi.TransportTraits.Shape;
import io.netty.handler.codec.http.HttpRequest;
import java.util.Optional;

/** Makes exchanges of the requests of one connection and hands them over. Belongs to its event loop. */
final class Reception {
    /** Keeps a connection busy until the message it has brought is handed over by another one. */
    private static final Answering NOTHING = new Answering() {
        @Override
        public void comment() {}

        @Override
        public void abandon() {}
    };

    private final Connections connections;
    private final Link link;

    Reception(Connections connections, Link link) {
        this.connections = connections;
        this.link = link;
    }

    /** Takes a whole request that the gate has let in. */
    void received(HttpRequest request, Gate.Verdict verdict, byte[] body) {
        var principal = verdict.principal();
        switch (verdict.place()) {
            case STREAMABLE -> streamable(request, principal, body);
            case EVENTS -> openStream(principal);
            case MESSAGES -> postedToStream(request, principal, body);
            case PREFLIGHT -> permit(request);
        }
    }

    private void streamable(HttpRequest request, Principal principal, byte[] body) {
        var kind = Received.kindOf(request);
        if (kind == Kind.MESSAGE) {
            posted(request, principal, body);
        } else {
            handOver(Received.of(kind, request, principal));
        }
    }

    private void posted(HttpRequest request, Principal principal, byte[] json) {
        var limits = connections.messageLimits();
        try {
            var headers = Received.of(Kind.MESSAGE, request, principal);
            if (Batch.isBatch(json) && connections.intake().takesBatches(headers.headers(), principal)) {
                batch(headers, json, limits);
            } else {
                handOver(headers.with(Message.scan(json, limits)));
            }
        } catch (ProtocolException malformed) {
            refuse(json, limits, malformed);
        }
    }

    private void handOver(Received received) {
        var made = new HttpExchange(received, link, connections.replay());
        link.begun(made);
        connections.intake().received(made);
    }

    private void batch(Received received, byte[] json, Limits limits) {
        var messages = Batch.scan(json, limits);
        var whole = new HttpExchange(received, link, connections.replay());
        link.begun(whole);
        new HttpBatch(whole, messages).parts().forEach(connections.intake()::received);
    }

    private void openStream(Principal principal) {
        var peer = new Peer(principal, Shape.SHARED_STREAM, "tcp", link.address());
        var stream = new SseStream(connections, link, peer, connections.lineContext());
        link.begun(stream);
        stream.start();
    }

    private void postedToStream(HttpRequest request, Principal principal, byte[] json) {
        var stream = connections.sseStreams().find(request.uri(), principal);
        if (stream.isEmpty()) {
            var unknown = Refusal.of(404, "there is no such session; begin again at '" + Place.EVENTS_PATH + "'");
            answer(404, unknown.error());
            return;
        }
        var limits = connections.messageLimits();
        try {
            var message = Message.scan(json, limits);
            var accepted = HttpText.whole(202, Metadata.EMPTY, Optional.empty(), link.manner());
            link.begun(NOTHING);
            stream.get().posted(message, () -> link.outbox().put(accepted, () -> link.finished(NOTHING)));
        } catch (ProtocolException malformed) {
            refuse(json, limits, malformed);
        }
    }

    private void permit(HttpRequest preflight) {
        var permission = HttpText.whole(204, CrossOrigin.permission(preflight), Optional.empty(), link.manner());
        link.outbox().put(permission, link::answered);
    }

    private void refuse(byte[] json, Limits limits, ProtocolException malformed) {
        connections.notes().refused(Notes.host(link.address()), 400);
        var error = Refusal.malformed(Message.readableId(json, limits), malformed.failure());
        answer(400, error);
    }

    private void answer(int status, Message error) {
        link.outbox().put(HttpText.whole(status, Metadata.EMPTY, Optional.of(error), link.manner()), link::answered);
    }
}
