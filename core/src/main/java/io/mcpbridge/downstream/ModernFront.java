package io.mcpbridge.downstream;

import io.mcpbridge.call.Caller;
import io.mcpbridge.call.Principal;
import io.mcpbridge.era.AnswerDress;
import io.mcpbridge.failure.ProtocolException;
import io.mcpbridge.message.Methods;
import io.mcpbridge.message.Request;
import io.mcpbridge.message.Response;
import io.mcpbridge.spi.Ending;
import io.mcpbridge.spi.Exchange;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Serves requests of the modern era that came over one connection of a byte stream or one HTTP listener. Each stands
 * for itself: what is kept here is only which are under way. Any thread.
 */
final class ModernFront {
    private final DownstreamParts parts;
    private final ClientCalls calls;

    /** Most clients say the same of themselves in every request, so it is read once. */
    private volatile @Nullable Envelope last;

    ModernFront(DownstreamParts parts, ClientCalls calls) {
        this.parts = parts;
        this.calls = calls;
    }

    /**
     * Serves a request that {@link ModernRequestCheck} has passed.
     *
     * @param session our name for the connection, or for the request where it has none
     * @return what the client says of itself; empty if that cannot be read and the request was refused
     */
    Optional<ClientCard> serve(Request request, Exchange exchange, String session) {
        Envelope envelope;
        try {
            envelope = envelope(request);
        } catch (ProtocolException malformed) {
            exchange.end(ModernErrors.invalidEnvelope(
                    request, "'_meta' cannot be read: " + malformed.failure().message()));
            return Optional.empty();
        }
        serve(request, exchange, session, envelope);
        return Optional.of(envelope.card());
    }

    private void serve(Request request, Exchange exchange, String session, Envelope envelope) {
        if (request.method().equals(Methods.SERVER_DISCOVER)) {
            discover(request, exchange);
        } else {
            var level = Envelope.logLevel(request);
            var caller = caller(envelope, exchange.principal(), session)
                    .logLevel(level)
                    .build();
            calls.begin(
                    request,
                    exchange,
                    caller,
                    new ModernManner(level, parts.card().info()));
        }
    }

    private Envelope envelope(Request request) {
        var known = last;
        if (known == null || !known.isIn(request)) {
            known = Envelope.read(request);
            last = known;
        }
        return known;
    }

    private static Caller.Builder caller(Envelope envelope, Principal principal, String session) {
        return envelope.caller().principal(principal).session(session);
    }

    private void discover(Request request, Exchange exchange) {
        var card = parts.card();
        var result = Response.result(request.id(), card.discoverResult());
        exchange.end(Ending.answer(AnswerDress.modern(result, request, card.info())));
    }
}
