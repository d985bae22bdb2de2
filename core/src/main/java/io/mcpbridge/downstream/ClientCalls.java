package io.mcpbridge.downstream;

import io.mcpbridge.call.Call;
import io.mcpbridge.call.Caller;
import io.mcpbridge.call.CancelReason;
import io.mcpbridge.call.CorrelationIds;
import io.mcpbridge.call.Deadline;
import io.mcpbridge.call.Outcome;
import io.mcpbridge.failure.Delivery;
import io.mcpbridge.failure.ErrorCode;
import io.mcpbridge.failure.Failure;
import io.mcpbridge.message.MessageId;
import io.mcpbridge.message.Request;
import io.mcpbridge.spi.Exchange;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/** The requests of one client that have no answer yet, by the client's own ids. Any thread. */
final class ClientCalls {
    private final ClientSession session;
    private final DownstreamParts parts;
    private final Budgets budgets;
    private final Map<MessageId, ClientCall> inFlight = new ConcurrentHashMap<>();
    private volatile boolean isClosed;

    ClientCalls(ClientSession session, DownstreamParts parts, Budgets budgets) {
        this.session = session;
        this.parts = parts;
        this.budgets = budgets;
    }

    /** Makes a call of the request, or refuses it if the client has too many or one of the same id. */
    void begin(Request request, Exchange exchange, Caller from) {
        if (!budgets.take(session.principal())) {
            var why = "%d calls are in flight already, which is the limit 'calls-in-flight' per principal";
            exchange.end(ClientSession.refusal(429, request, ErrorCode.OVERLOADED, why.formatted(budgets.limit())));
            return;
        }
        var call = new ClientCall(session, request, exchange, call(request, from));
        if (inFlight.putIfAbsent(request.id(), call) != null) {
            budgets.giveBack(session.principal());
            var why = "the id %s is in use by a request that is not answered yet";
            exchange.end(ClientSession.refusal(
                    400,
                    request,
                    ErrorCode.INVALID_REQUEST,
                    why.formatted(request.id().raw())));
            return;
        }
        if (isClosed) {
            call.call().cancellation().cancel(CancelReason.CLIENT_GONE);
        }
        parts.handler().handle(call.call(), call);
    }

    private Call call(Request request, Caller from) {
        var environment = parts.environment();
        var deadline = Deadline.after(parts.callTimeout().get(), environment.timekeeper());
        return Call.of(request, from, CorrelationIds.next(environment.random()), deadline);
    }

    /** Withdraws the request with this id, if it is one of this client's. */
    void cancel(MessageId id) {
        var mine = inFlight.get(id);
        if (mine != null) {
            mine.call().cancellation().cancel(CancelReason.CLIENT_CANCELLED);
        }
    }

    void ended(ClientCall call, MessageId id) {
        if (inFlight.remove(id, call)) {
            budgets.giveBack(session.principal());
        }
    }

    Optional<ClientCall> find(String correlationId) {
        return inFlight.values().stream()
                .filter(mine -> mine.call().correlationId().equals(correlationId))
                .findFirst();
    }

    int size() {
        return inFlight.size();
    }

    void close(CancelReason reason) {
        isClosed = true;
        inFlight.values().forEach(mine -> mine.call().cancellation().cancel(reason));
        // Whoever held a call has ended it by now, unless it was a list that waits for several servers.
        inFlight.values().forEach(mine -> mine.done(withdrawn(mine.call(), reason)));
    }

    private static Outcome withdrawn(Call call, CancelReason reason) {
        var words = "'%s' was withdrawn: %s".formatted(call.request().method(), reason.text());
        return Outcome.failed(Failure.of(reason.code(), words).withDelivery(Delivery.UNKNOWN));
    }
}
