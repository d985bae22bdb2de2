package io.mcpbridge.downstream;

import io.mcpbridge.call.Metadata;
import io.mcpbridge.call.Principal;
import io.mcpbridge.downstream.calls.DownstreamParts;
import io.mcpbridge.downstream.calls.Refusals;
import io.mcpbridge.downstream.listening.ClientListens;
import io.mcpbridge.downstream.modern.ModernFront;
import io.mcpbridge.downstream.modern.ModernRequestCheck;
import io.mcpbridge.downstream.session.ClientSession;
import io.mcpbridge.message.MessageId;
import io.mcpbridge.message.Methods;
import io.mcpbridge.message.Notification;
import io.mcpbridge.message.Part;
import io.mcpbridge.message.ProtocolVersion;
import io.mcpbridge.message.Request;
import io.mcpbridge.spi.Exchange;
import io.mcpbridge.spi.Intake;

/**
 * What one connection of a byte stream receives: a request that names the revision it is written in is served in the
 * modern era, everything else belongs to the connection's session.
 */
final class StreamIntake implements Intake {
    private final ClientSession session;
    private final ModernFront modern;
    private final ClientListens listens;
    private final Runnable whenClosed;

    StreamIntake(ClientSession session, DownstreamParts parts, ClientListens listens, Runnable whenClosed) {
        this.session = session;
        this.listens = listens;
        this.modern = new ModernFront(parts, session.calls(), listens);
        this.whenClosed = whenClosed;
    }

    @Override
    public void received(Exchange exchange) {
        var message = exchange.message().orElse(null);
        if (message instanceof Request request && listens.has(request.id())) {
            exchange.end(Refusals.idInUse(request));
        } else if (message instanceof Request request && request.has(Part.PROTOCOL_VERSION)) {
            modern(request, exchange);
        } else {
            if (message instanceof Notification told && told.method().equals(Methods.CANCELLED)) {
                told.raw(Part.CANCELLED_ID).flatMap(MessageId::parse).ifPresent(listens::cancel);
            }
            session.received(exchange);
        }
    }

    private void modern(Request request, Exchange exchange) {
        session.heard();
        var refusal = ModernRequestCheck.onStream(request);
        if (refusal.isPresent()) {
            exchange.end(refusal.get());
            return;
        }
        modern.serve(request, exchange, session.name()).ifPresent(session::introduced);
    }

    @Override
    public boolean takesBatches(Metadata metadata, Principal principal) {
        return takesBatches(session);
    }

    /** Whether the session agreed on the one revision that has batches. */
    static boolean takesBatches(ClientSession session) {
        return session.isInitialized() && session.version().equals(ProtocolVersion.V2025_03_26);
    }

    @Override
    public void closed() {
        listens.close();
        whenClosed.run();
    }
}
