package io.mcpbridge.downstream;

import io.mcpbridge.message.Part;
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
    private final Runnable whenClosed;

    StreamIntake(ClientSession session, DownstreamParts parts, Runnable whenClosed) {
        this.session = session;
        this.modern = new ModernFront(parts, session.calls());
        this.whenClosed = whenClosed;
    }

    @Override
    public void received(Exchange exchange) {
        if (exchange.message().orElse(null) instanceof Request request && request.has(Part.PROTOCOL_VERSION)) {
            modern(request, exchange);
        } else {
            session.received(exchange);
        }
    }

    private void modern(Request request, Exchange exchange) {
        session.keepAlive().heard();
        var refusal = ModernRequestCheck.onStream(request);
        if (refusal.isPresent()) {
            exchange.end(refusal.get());
            return;
        }
        modern.serve(request, exchange, session.name()).ifPresent(session::introduced);
    }

    @Override
    public void closed() {
        whenClosed.run();
    }
}
