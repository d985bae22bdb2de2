package io.mcpbridge.downstream.calls;

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
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/** The requests that came one way, such as one connection, and have no answer yet. Any thread. */
public final class ClientCalls {

    /** What tells the requests apart. */
    public enum Key {
        /** Their ids, of which no two may be the same at a time: one client sends them. */
        ID,
        /** The exchanges they came in: each has its own, and many clients use the same ids. */
        EXCHANGE;

        /** What this request is known by. */
        public Object of(Request request, Exchange exchange) {
            return this == ID ? request.id() : exchange;
        }
    }

    private final DownstreamParts parts;
    private final Budgets budgets;
    private final Key key;
    private final Map<Object, ClientCall> inFlight = new ConcurrentHashMap<>();
    private volatile boolean isClosed;

    /** Makes the table of one way; {@code budgets} may be shared with others. */
    public ClientCalls(DownstreamParts parts, Budgets budgets, Key key) {
        this.parts = parts;
        this.budgets = budgets;
        this.key = key;
    }

    /** Makes a call of the request, or refuses it if its principal has too many or the id is in use. */
    public void begin(Request request, Exchange exchange, Caller from, Manner manner) {
        var begun = call(request, from).withArrival(exchange);
        if (!budgets.take(from.principal())) {
            var words = "%d calls are in flight already, which is the limit 'calls-in-flight' per principal";
            refuse(
                    Refusals.TOO_MANY_REQUESTS,
                    begun,
                    exchange,
                    Failure.of(ErrorCode.OVERLOADED, words.formatted(budgets.limit())));
            return;
        }
        var since = parts.environment().timekeeper().now();
        var call = new ClientCall(begun, exchange, manner, since, this::ended);
        if (inFlight.putIfAbsent(key.of(request, exchange), call) != null) {
            budgets.giveBack(from.principal());
            refuse(Refusals.BAD_REQUEST, begun, exchange, Refusals.inUse(request));
            return;
        }
        if (isClosed) {
            call.call().cancellation().cancel(CancelReason.CLIENT_GONE);
        }
        parts.handler().handle(call.call(), call);
    }

    private void refuse(int status, Call call, Exchange exchange, Failure why) {
        parts.news().refused(call, why);
        exchange.end(Refusals.of(status, call, why));
    }

    private Call call(Request request, Caller from) {
        var environment = parts.environment();
        var most = parts.callTimeout().get();
        var span = Waiting.of(request).filter(said -> said.compareTo(most) < 0).orElse(most);
        var deadline = Deadline.after(span, environment.timekeeper());
        return Call.of(request, from, CorrelationIds.next(environment.random()), deadline);
    }

    /** Withdraws the request with this id, if there is one; only where ids tell requests apart. */
    public void cancel(MessageId id) {
        withdraw(id, CancelReason.CLIENT_CANCELLED);
    }

    /** The client has left the exchange and will not hear its answer. */
    public void abandoned(Exchange exchange) {
        withdraw(exchange, CancelReason.CLIENT_GONE);
    }

    private void withdraw(Object which, CancelReason reason) {
        var mine = inFlight.get(which);
        if (mine != null) {
            mine.call().cancellation().cancel(reason);
        }
    }

    private void ended(ClientCall call) {
        if (inFlight.remove(key.of(call.call().request(), call.exchange()), call)) {
            budgets.giveBack(call.call().caller().principal());
        }
    }

    /** The request whose call has this correlation id. */
    public Optional<ClientCall> find(String correlationId) {
        return inFlight.values().stream()
                .filter(mine -> mine.call().correlationId().equals(correlationId))
                .findFirst();
    }

    /** Those under way now. */
    public List<ClientCall> all() {
        return List.copyOf(inFlight.values());
    }

    /** How many are under way. */
    public int size() {
        return inFlight.size();
    }

    /** Whoever sent them is gone: ends all of them, and what comes after that too. */
    public void close(CancelReason reason) {
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
