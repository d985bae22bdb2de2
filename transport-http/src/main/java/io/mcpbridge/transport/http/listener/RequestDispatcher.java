package io.mcpbridge.transport.http.listener;

import io.mcpbridge.call.MessageHeaders;
import io.mcpbridge.call.Principal;
import io.mcpbridge.failure.ProtocolException;
import io.mcpbridge.message.Limits;
import io.mcpbridge.message.Message;
import io.mcpbridge.spi.Exchange.Kind;
import io.mcpbridge.spi.Peer;
import io.mcpbridge.spi.TransportTraits.Shape;
import java.util.Optional;

/** Turns the requests of one connection into exchanges and passes them to the intake. Belongs to the event loop. */
final class RequestDispatcher {
    /** Keeps a connection busy until another one has delivered its message. */
    private static final OpenResponse NOTHING = new OpenResponse() {};

    private final ListenerContext context;
    private final ExchangeConnection connection;

    RequestDispatcher(ListenerContext context, ExchangeConnection connection) {
        this.context = context;
        this.connection = connection;
    }

    /** Dispatches a complete and valid request. */
    void received(RequestHead head, byte[] body) {
        switch (head.validation().place()) {
            case STREAMABLE -> streamableHttp(head.received(), body);
            case SSE_STREAM -> openSseSession(head.received().principal());
            case SSE_POST -> postToSseSession(head, body);
            case PREFLIGHT -> answer(204, CorsPolicy.permission(head.request()), Optional.empty());
        }
    }

    private void streamableHttp(ReceivedRequest received, byte[] body) {
        if (received.kind() == Kind.MESSAGE) {
            post(received, body);
        } else {
            handOver(received);
        }
    }

    private void post(ReceivedRequest received, byte[] json) {
        var limits = context.messageLimits();
        try {
            if (Message.isBatch(json) && context.intake().takesBatches(received.headers(), received.principal())) {
                var messages = Message.scanBatch(json, limits);
                new HttpBatch(begin(received), messages).parts().forEach(context.intake()::received);
            } else {
                handOver(received.with(Message.scan(json, limits)));
            }
        } catch (ProtocolException malformed) {
            reject(json, limits, malformed);
        }
    }

    private void handOver(ReceivedRequest received) {
        context.intake().received(begin(received));
    }

    private HttpExchange begin(ReceivedRequest received) {
        var begun = new HttpExchange(received, connection, context.replay());
        connection.begun(begun);
        return begun;
    }

    private void openSseSession(Principal principal) {
        var address = HttpExchange.remote(connection.client()).hostAndPort();
        var peer = new Peer(principal, Shape.SHARED_STREAM, "tcp", address);
        var stream = new SseListenerSession(context, connection, peer);
        connection.begun(stream);
        stream.start();
    }

    private void postToSseSession(RequestHead head, byte[] json) {
        var stream =
                context.sseSessions().find(head.request().uri(), head.received().principal());
        if (stream.isEmpty()) {
            var unknown = HttpRejection.of(404, "unknown session; open a new one at '" + HttpEndpoint.SSE_PATH + "'");
            answer(404, unknown.headers(), Optional.of(unknown.error()));
            return;
        }
        var limits = context.messageLimits();
        try {
            var message = Message.scan(json, limits);
            var accepted = ResponseEncoder.whole(202, MessageHeaders.EMPTY, Optional.empty(), connection.options());
            connection.begun(NOTHING);
            stream.get().post(message, () -> connection.queue().put(accepted, () -> connection.finished(NOTHING)));
        } catch (ProtocolException malformed) {
            reject(json, limits, malformed);
        }
    }

    private void reject(byte[] json, Limits limits, ProtocolException malformed) {
        context.rejections().refused(RejectionReporter.host(connection.client()), 400);
        var error = HttpRejection.malformed(Message.readableId(json, limits), malformed.failure());
        answer(400, MessageHeaders.EMPTY, Optional.of(error));
    }

    private void answer(int status, MessageHeaders headers, Optional<Message> body) {
        var whole = ResponseEncoder.whole(status, headers, body, connection.options());
        connection.queue().put(whole, connection::answered);
    }
}
