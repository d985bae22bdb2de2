package io.mcpbridge.downstream.calls;

import io.mcpbridge.call.Call;
import io.mcpbridge.call.CancelReason;
import io.mcpbridge.call.Outcome;
import io.mcpbridge.call.Reply;
import io.mcpbridge.failure.Delivery;
import io.mcpbridge.failure.ErrorCode;
import io.mcpbridge.failure.Failure;
import io.mcpbridge.message.Message;
import io.mcpbridge.message.Methods;
import io.mcpbridge.message.Notification;
import io.mcpbridge.message.NumberText;
import io.mcpbridge.message.Part;
import io.mcpbridge.message.Request;
import io.mcpbridge.message.Response;
import io.mcpbridge.spi.Ending;
import io.mcpbridge.spi.Exchange;
import java.math.BigDecimal;
import java.time.Instant;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A client's request under way: gives the client its own id and progress token back, and ends the exchange once.
 */
public final class ClientCall implements Reply {
    private final Request request;
    private final Exchange exchange;
    private final Call call;
    private final Manner manner;
    private final Instant since;
    private final Consumer<ClientCall> whenDone;
    private final AtomicBoolean isDone = new AtomicBoolean();
    private final AtomicReference<@Nullable BigDecimal> lastProgress = new AtomicReference<>();

    /** @param whenDone hears of the end, before the client does */
    ClientCall(Call call, Exchange exchange, Manner manner, Instant since, Consumer<ClientCall> whenDone) {
        this.request = call.request();
        this.exchange = exchange;
        this.call = call;
        this.manner = manner;
        this.since = since;
        this.whenDone = whenDone;
    }

    /** What became of the request. */
    public Call call() {
        return call;
    }

    /** When it came. */
    public Instant since() {
        return since;
    }

    /** What it came in. */
    public Exchange exchange() {
        return exchange;
    }

    @Override
    public void event(Message progressOrLog) {
        if (isDone.get() || !(progressOrLog instanceof Notification notification)) {
            return;
        }
        if (notification.method().equals(Methods.PROGRESS)) {
            progress(notification);
        } else if (manner.wants(notification)) {
            exchange.offer(notification);
        }
    }

    /** Passes progress on while it grows, which the specification demands and a repeated attempt may break. */
    private void progress(Notification notification) {
        var token = request.raw(Part.PROGRESS_TOKEN);
        var value = notification.raw(Part.PROGRESS).flatMap(NumberText::read);
        if (token.isEmpty() || value.isEmpty() || !advance(value.get())) {
            return;
        }
        exchange.offer(
                notification.splice().replace(Part.PROGRESS_TOKEN, token.get()).done());
    }

    private boolean advance(BigDecimal value) {
        var before = lastProgress.get();
        return (before == null || value.compareTo(before) > 0) && lastProgress.compareAndSet(before, value);
    }

    @Override
    public void done(Outcome outcome) {
        if (!isDone.compareAndSet(false, true)) {
            return;
        }
        whenDone.accept(this);
        exchange.end(ending(outcome));
    }

    private Ending ending(Outcome outcome) {
        if (call.cancellation()
                .reason()
                .filter(CancelReason.CLIENT_CANCELLED::equals)
                .isPresent()) {
            // The specification: who cancelled a request gets no answer to it.
            return Ending.empty();
        }
        if (outcome instanceof Outcome.Answered answered) {
            return answered(answered.response());
        }
        return manner.failed(request, ((Outcome.Failed) outcome).failure(), call.correlationId());
    }

    /** The answer as the client wants it; one that cannot be made so ends the call all the same. */
    private Ending answered(Response response) {
        try {
            return manner.answered(request, response);
        } catch (RuntimeException unfit) {
            var words = "the server's answer cannot be passed on: " + unfit.getMessage();
            var failure = Failure.of(ErrorCode.UPSTREAM_INVALID, words)
                    .withDelivery(Delivery.ANSWERED)
                    .withCause(unfit);
            return manner.failed(request, failure, call.correlationId());
        }
    }
}
