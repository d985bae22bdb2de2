package io.mcpbridge.cli.relay;

import io.mcpbridge.call.JsonRpcErrors;
import io.mcpbridge.failure.ErrorCode;
import io.mcpbridge.failure.Failure;
import io.mcpbridge.message.Message;
import io.mcpbridge.message.MessageId;
import io.mcpbridge.message.Methods;
import io.mcpbridge.message.Notification;
import io.mcpbridge.message.Part;
import io.mcpbridge.message.Request;
import io.mcpbridge.message.Response;
import io.mcpbridge.spi.Ending;
import io.mcpbridge.spi.Exchange;
import io.mcpbridge.spi.Intake;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** The one client: what it sends goes to the daemon, and answers find their request. Any thread; nothing here waits. */
final class ClientLine implements Intake, DaemonLine.Client {

    private record Open(Request request, Exchange exchange) {}

    private final Memory memory;
    private final DaemonLine daemon;
    private final Runnable atEnd;
    private final OpenQuestions questions = new OpenQuestions();
    private final Map<MessageId, Open> open = new ConcurrentHashMap<>();
    private volatile @Nullable Exchange listening;

    /** @param atEnd runs when the client has gone */
    ClientLine(Memory memory, DaemonLine daemon, Runnable atEnd) {
        this.memory = memory;
        this.daemon = daemon;
        this.atEnd = atEnd;
    }

    @Override
    public void received(Exchange exchange) {
        if (exchange.kind() == Exchange.Kind.LISTEN) {
            listening = exchange;
            return;
        }
        var message = exchange.message().orElse(null);
        if (message instanceof Request request) {
            request(request, exchange);
            return;
        }
        exchange.end(Ending.accepted());
        if (message instanceof Response response) {
            questions.answered(response).ifPresent(daemon::send);
        } else if (message instanceof Notification notification
                && notification.method().equals(Methods.CANCELLED)) {
            cancel(notification);
        } else if (message != null) {
            daemon.send(message);
        }
    }

    private void request(Request request, Exchange exchange) {
        if (open.putIfAbsent(request.id(), new Open(request, exchange)) != null) {
            var why = "the id %s is in use by a request that is not answered yet"
                    .formatted(request.id().raw());
            var refusal = JsonRpcErrors.toResponse(request.id(), Failure.of(ErrorCode.INVALID_REQUEST, why), "");
            exchange.end(Ending.refused(400, refusal));
            return;
        }
        daemon.send(memory.introduced(request));
    }

    /** Who cancels gets no answer, so the request is over at once. */
    private void cancel(Notification notification) {
        var id = notification.raw(Part.CANCELLED_ID).flatMap(MessageId::parse);
        var cancelled = id.map(open::remove);
        cancelled.ifPresent(each -> each.exchange().end(Ending.empty()));
        if (cancelled.isEmpty() || !daemon.withdraw(cancelled.get().request().id())) {
            daemon.send(notification);
        }
    }

    @Override
    public void said(Message message) {
        if (message instanceof Response response) {
            answered(response);
        } else if (message instanceof Request question) {
            ask(questions.asked(question));
        } else if (message instanceof Notification notification
                && notification.method().equals(Methods.CANCELLED)) {
            questions.withdrawn(notification).ifPresent(this::offer);
        } else {
            offer(message);
        }
    }

    private void ask(Request question) {
        if (offer(question) == Exchange.Offer.FULL) {
            var why = Failure.of(ErrorCode.METHOD_NOT_FOUND, "the client does not read what it is asked");
            questions.answered(JsonRpcErrors.toResponse(question.id(), why, "")).ifPresent(daemon::send);
        }
    }

    private Exchange.Offer offer(Message message) {
        var stream = listening;
        return stream == null ? Exchange.Offer.FULL : stream.offer(message);
    }

    private void answered(Response response) {
        var asked = response.id().map(open::remove).orElse(null);
        if (asked == null) {
            return;
        }
        if (!response.isError()) {
            memory.agreed(asked.request(), response);
        }
        asked.exchange().end(Ending.answer(response));
    }

    @Override
    public void failed(MessageId id, Failure why) {
        var asked = open.remove(id);
        if (asked != null) {
            asked.exchange().end(Ending.answer(JsonRpcErrors.toResponse(id, why, "")));
        }
    }

    @Override
    public void lost() {
        questions.forgetAll().forEach(this::offer);
    }

    @Override
    public void cameBack() {
        memory.news().forEach(this::said);
    }

    @Override
    public void closed() {
        atEnd.run();
    }
}
