package io.mcpbridge.downstream.listening;

import io.mcpbridge.call.Caller;
import io.mcpbridge.call.Principal;
import io.mcpbridge.downstream.calls.Budgets;
import io.mcpbridge.downstream.calls.ClientCalls;
import io.mcpbridge.downstream.calls.DownstreamParts;
import io.mcpbridge.downstream.calls.Refusals;
import io.mcpbridge.failure.ErrorCode;
import io.mcpbridge.failure.ProtocolException;
import io.mcpbridge.message.MessageId;
import io.mcpbridge.message.Request;
import io.mcpbridge.spi.Exchange;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** The streams of {@code subscriptions/listen} that came one way, such as one connection. Any thread. */
public final class ClientListens {
    private final DownstreamParts parts;
    private final Everywhere everywhere;
    private final ClientCalls.Key key;
    private final Map<Object, ClientListen> open = new ConcurrentHashMap<>();

    /** Makes the table of one way, in which {@code key} tells streams apart. */
    public ClientListens(DownstreamParts parts, Everywhere everywhere, ClientCalls.Key key) {
        this.parts = parts;
        this.everywhere = everywhere;
        this.key = key;
    }

    /** Begins to listen, or refuses to. */
    public void begin(Request request, Exchange exchange, Caller.Builder from) {
        ClientListenFilter filter;
        try {
            filter = ClientListenFilter.read(request);
        } catch (ProtocolException malformed) {
            exchange.end(Refusals.of(
                    400, request, ErrorCode.INVALID_PARAMS, malformed.failure().message()));
            return;
        }
        var principal = exchange.principal();
        if (!everywhere.budgets().take(principal)) {
            var why = "%d streams of 'subscriptions/listen' are open already, which is the limit 'subscriptions' per"
                    + " principal";
            exchange.end(Refusals.overloaded(
                    request, why.formatted(everywhere.budgets().limit())));
            return;
        }
        var since = parts.environment().timekeeper().now();
        var stream = new ClientListen(request, exchange, from, parts.card().info(), since);
        register(key.of(request, exchange), stream, principal);
        exchange.onAbandoned(stream::leave);
        new ListenStart(parts, stream, filter).begin();
    }

    private void register(Object which, ClientListen stream, Principal principal) {
        open.put(which, stream);
        everywhere.open().add(stream);
        stream.onGone(() -> {
            open.remove(which, stream);
            everywhere.open().remove(stream);
            everywhere.budgets().giveBack(principal);
        });
    }

    /** Whether the id stands for a stream that is open; only where ids tell requests apart. */
    public boolean has(MessageId id) {
        return open.containsKey(id);
    }

    /** The client does not want to hear from this stream any more. */
    public void cancel(MessageId id) {
        var stream = open.get(id);
        if (stream != null) {
            stream.leave();
        }
    }

    /** Those that are open now. */
    public List<ClientListen> all() {
        return List.copyOf(open.values());
    }

    /** Whoever listened is gone. */
    public void close() {
        all().forEach(ClientListen::leave);
    }

    /**
     * What the listening clients of all listeners share.
     *
     * @param open all streams
     * @param budgets how many each principal may have
     */
    public record Everywhere(Set<ClientListen> open, Budgets budgets) {}
}
