package io.mcpbridge.engine.session;

import io.mcpbridge.call.Call;
import io.mcpbridge.call.Caller;
import io.mcpbridge.call.CancelReason;
import io.mcpbridge.call.Deadline;
import io.mcpbridge.call.Outcome;
import io.mcpbridge.call.Reply;
import io.mcpbridge.failure.Delivery;
import io.mcpbridge.failure.ErrorCode;
import io.mcpbridge.failure.Failure;
import io.mcpbridge.message.Message;
import io.mcpbridge.message.MessageField;
import io.mcpbridge.message.MessageId;
import io.mcpbridge.message.Methods;
import io.mcpbridge.message.Notification;
import io.mcpbridge.message.NumberText;
import io.mcpbridge.message.Request;
import io.mcpbridge.spi.Exchange;
import io.mcpbridge.spi.Exchange.Ending;
import java.math.BigDecimal;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicReference;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The client requests in flight of one connection, session or listener. Any thread.
 *
 * <p>Each request becomes a call, which stays in the table until it ends. The outcome that removes the call ends its
 * exchange, so that each exchange ends once.
 */
final class ClientCalls {
    private static final Pattern MILLIS = Pattern.compile("\\d{1,12}");

    private final DownstreamParts parts;
    private final PrincipalQuota quota;
    private final Key key;
    private final Map<Object, ClientCall> inFlight = new ConcurrentHashMap<>();
    private volatile boolean isClosed;

    /** The identity of a request in the table. */
    enum Key {
        /** The id; for requests of a single client. */
        ID,
        /** The exchange; for requests of many clients, which may use the same ids. */
        EXCHANGE;

        Object of(Request request, Exchange exchange) {
            return this == ID ? request.id() : exchange;
        }
    }

    /** @param quota the calls in flight per principal; may be shared with other tables */
    ClientCalls(DownstreamParts parts, PrincipalQuota quota, Key key) {
        this.parts = parts;
        this.quota = quota;
        this.key = key;
    }

    /** Starts a call for the request, or rejects it if its principal has too many or the id is in use. */
    void begin(Request request, Exchange exchange, Caller from, ResponseWriter writer) {
        var environment = parts.environment();
        var deadline = Deadline.after(timeout(request), environment.timekeeper());
        var call = Call.of(request, from, Call.newCorrelationId(environment.random()), deadline, exchange);
        if (!quota.tryAcquire(from.principal())) {
            var words = "%d calls are in flight already, which is the limit 'limits.in-flight' per principal";
            var why = Failure.of(ErrorCode.OVERLOADED, words.formatted(quota.limit()));
            reject(Rejections.TOO_MANY_REQUESTS, call, exchange, why);
            return;
        }
        var begun =
                new ClientCall(call, exchange, writer, environment.timekeeper().now());
        if (inFlight.putIfAbsent(key.of(request, exchange), begun) != null) {
            quota.release(from.principal());
            reject(Rejections.BAD_REQUEST, call, exchange, Rejections.idInUse(request));
            return;
        }
        if (isClosed) {
            call.cancellation().cancel(CancelReason.CLIENT_GONE);
        }
        parts.handler().handle(call, begun);
    }

    private void reject(int status, Call call, Exchange exchange, Failure why) {
        parts.events().rejected(call, why);
        exchange.end(Rejections.of(status, call, why));
    }

    /** Returns the shorter one of the client's time-out and the bridge's. */
    private Duration timeout(Request request) {
        var max = parts.callTimeout().get();
        return request.raw(MessageField.TIMEOUT_MS)
                .filter(raw -> MILLIS.matcher(raw).matches())
                .map(raw -> Duration.ofMillis(Long.parseLong(raw)))
                .filter(asked -> asked.compareTo(max) < 0)
                .orElse(max);
    }

    /** Cancels the request with this id for the client, if it is in flight. */
    void cancel(MessageId id) {
        cancel(id, CancelReason.CLIENT_CANCELLED);
    }

    /** Cancels the call of an exchange that the client has left. */
    void abandoned(Exchange exchange) {
        cancel(exchange, CancelReason.CLIENT_GONE);
    }

    private void cancel(Object which, CancelReason reason) {
        var found = inFlight.get(which);
        if (found != null) {
            found.call.cancellation().cancel(reason);
        }
    }

    /** Returns the exchange of the call with this correlation id. */
    Optional<Exchange> exchange(String correlationId) {
        return inFlight.values().stream()
                .filter(each -> each.call.correlationId().equals(correlationId))
                .map(each -> each.exchange)
                .findFirst();
    }

    /** Returns the calls in flight as activities of their clients. */
    Stream<ClientSnapshot.Activity> activities() {
        return inFlight.values().stream()
                .map(each -> new ClientSnapshot.Activity(
                        each.call.caller(), each.exchange.remote().hostAndPort(), each.since, 1));
    }

    int size() {
        return inFlight.size();
    }

    /** Ends all calls, and those that come later, since the clients have disconnected. */
    void close(CancelReason reason) {
        isClosed = true;
        inFlight.values().forEach(each -> each.call.cancellation().cancel(reason));
        // A list that waits for several servers ignores the cancellation.
        inFlight.values().forEach(each -> each.complete(cancelled(each.call, reason)));
    }

    private static Outcome cancelled(Call call, CancelReason reason) {
        var words = "'%s' was withdrawn: %s".formatted(call.request().method(), reason.text());
        return Outcome.failed(Failure.of(reason.code(), words).withDelivery(Delivery.UNKNOWN));
    }

    /** One call; restores the client's own id and progress token in messages to the client. */
    private final class ClientCall implements Reply {
        private final Call call;
        private final Exchange exchange;
        private final ResponseWriter writer;
        private final Instant since;
        private final AtomicReference<@Nullable BigDecimal> lastProgress = new AtomicReference<>();

        private ClientCall(Call call, Exchange exchange, ResponseWriter writer, Instant since) {
            this.call = call;
            this.exchange = exchange;
            this.writer = writer;
            this.since = since;
        }

        @Override
        public void event(Message progressOrLog) {
            if (!(BridgeMembers.remove(progressOrLog) instanceof Notification notification)) {
                return;
            }
            if (notification.method().equals(Methods.PROGRESS)) {
                progress(notification);
            } else if (writer.passes(notification)) {
                exchange.offer(notification);
            }
        }

        /**
         * Passes progress on only if it has grown, as the specification requires; a retry may start again from zero.
         */
        private void progress(Notification notification) {
            var token = call.request().raw(MessageField.PROGRESS_TOKEN);
            var value = notification.raw(MessageField.PROGRESS).flatMap(NumberText::read);
            if (token.isPresent() && value.isPresent() && advance(value.get())) {
                exchange.offer(notification
                        .splice()
                        .replace(MessageField.PROGRESS_TOKEN, token.get())
                        .done());
            }
        }

        private boolean advance(BigDecimal value) {
            var before = lastProgress.get();
            return (before == null || value.compareTo(before) > 0) && lastProgress.compareAndSet(before, value);
        }

        @Override
        public void complete(Outcome outcome) {
            if (inFlight.remove(key.of(call.request(), exchange), this)) {
                quota.release(call.caller().principal());
                // The specification: a cancelled request gets no answer.
                var isUnwanted = call.cancellation()
                        .reason()
                        .filter(CancelReason.CLIENT_CANCELLED::equals)
                        .isPresent();
                exchange.end(isUnwanted ? Ending.empty() : ending(outcome));
            }
        }

        private Ending ending(Outcome outcome) {
            if (outcome instanceof Outcome.Failed failed) {
                return writer.failed(call.request(), failed.failure(), call.correlationId());
            }
            try {
                return writer.answered(call.request(), ((Outcome.Answered) outcome).response());
            } catch (RuntimeException unfit) {
                // The answer cannot be rewritten for the era of the client.
                var words = "the server's answer cannot be passed on: " + unfit.getMessage();
                var failure = Failure.of(ErrorCode.UPSTREAM_INVALID, words)
                        .withDelivery(Delivery.ANSWERED)
                        .withCause(unfit);
                return writer.failed(call.request(), failure, call.correlationId());
            }
        }
    }
}
