package io.mcpbridge.downstream.modern;

import io.mcpbridge.call.LogLevel;
import io.mcpbridge.downstream.calls.ClientCalls;
import io.mcpbridge.downstream.calls.DownstreamParts;
import io.mcpbridge.downstream.listening.ClientListens;
import io.mcpbridge.downstream.registry.ClientCard;
import io.mcpbridge.era.AnswerDress;
import io.mcpbridge.failure.ProtocolException;
import io.mcpbridge.message.Methods;
import io.mcpbridge.message.Part;
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
public final class ModernFront {
    private final DownstreamParts parts;
    private final ClientCalls calls;
    private final ClientListens listens;

    /** Most clients say the same of themselves in every request, so it is read once. */
    private volatile @Nullable ClientCard last;

    /** Makes the front of one way; what is under way there is kept in these tables. */
    public ModernFront(DownstreamParts parts, ClientCalls calls, ClientListens listens) {
        this.parts = parts;
        this.calls = calls;
        this.listens = listens;
    }

    /**
     * Serves a request that {@link ModernRequestCheck} has passed.
     *
     * @param name ours for the connection, or for the client where there is none
     * @return what the client says of itself; empty if that cannot be read and the request was refused
     */
    public Optional<ClientCard> serve(Request request, Exchange exchange, String name) {
        ClientCard card;
        try {
            card = card(request);
        } catch (ProtocolException malformed) {
            exchange.end(ModernErrors.invalidEnvelope(
                    request, "'_meta' cannot be read: " + malformed.failure().message()));
            return Optional.empty();
        }
        serve(request, exchange, name, card);
        return Optional.of(card);
    }

    private void serve(Request request, Exchange exchange, String name, ClientCard card) {
        var level = request.text(Part.LOG_LEVEL).flatMap(LogLevel::parse).orElse(null);
        var caller = card.caller().principal(exchange.principal()).session(name).logLevel(level);
        switch (request.method()) {
            case Methods.SERVER_DISCOVER -> discover(request, exchange);
            case Methods.SUBSCRIPTIONS_LISTEN -> listens.begin(request, exchange, caller);
            default ->
                calls.begin(
                        request,
                        exchange,
                        caller.build(),
                        new ModernManner(level, parts.card().info()));
        }
    }

    private ClientCard card(Request request) {
        var known = last;
        if (known == null || !known.isIn(request)) {
            known = ClientCard.ofEnvelope(request);
            last = known;
        }
        return known;
    }

    private void discover(Request request, Exchange exchange) {
        var bridge = parts.card();
        var result = Response.result(request.id(), bridge.discoverResult());
        exchange.end(Ending.answer(AnswerDress.modern(result, request, bridge.info())));
    }
}
