package io.mcpbridge.cli.relay;

import io.mcpbridge.call.JsonRpcErrorMapper;
import io.mcpbridge.failure.ErrorCode;
import io.mcpbridge.failure.Failure;
import io.mcpbridge.message.Message;
import io.mcpbridge.message.MessageField;
import io.mcpbridge.message.MessageId;
import io.mcpbridge.message.Methods;
import io.mcpbridge.message.Notification;
import io.mcpbridge.message.Request;
import io.mcpbridge.message.Response;
import io.mcpbridge.spi.Exchange;
import io.mcpbridge.spi.Exchange.Ending;
import io.mcpbridge.spi.Intake;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/** The client on our standard streams: forwards its messages and matches responses to its requests. Never blocks. */
final class StdioClient implements Intake {

    private record OpenRequest(Request request, Exchange exchange) {}

    private final SessionState session;
    private final ReconnectingChannel daemon;
    private final Runnable onClose;
    private final PendingServerRequests serverRequests = new PendingServerRequests();
    private final Map<MessageId, OpenRequest> open = new ConcurrentHashMap<>();
    private volatile @Nullable Exchange serverStream;

    /** @param onClose runs when the client has disconnected */
    StdioClient(SessionState session, ReconnectingChannel daemon, Runnable onClose) {
        this.session = session;
        this.daemon = daemon;
        this.onClose = onClose;
    }

    @Override
    public void received(Exchange exchange) {
        if (exchange.kind() == Exchange.Kind.LISTEN) {
            serverStream = exchange;
            return;
        }
        var message = exchange.message().orElse(null);
        if (message instanceof Request request) {
            request(request, exchange);
            return;
        }
        exchange.end(Ending.accepted());
        if (message instanceof Response response) {
            serverRequests.forDaemon(response).ifPresent(daemon::send);
        } else if (message instanceof Notification notification
                && notification.method().equals(Methods.CANCELLED)) {
            cancel(notification);
        } else if (message != null) {
            daemon.send(message);
        }
    }

    private void request(Request request, Exchange exchange) {
        if (open.putIfAbsent(request.id(), new OpenRequest(request, exchange)) != null) {
            var why = "the id %s is in use by a request that is not answered yet"
                    .formatted(request.id().raw());
            var refusal = JsonRpcErrorMapper.toResponse(request.id(), Failure.of(ErrorCode.INVALID_REQUEST, why), "");
            exchange.end(Ending.refused(400, refusal));
            return;
        }
        daemon.send(session.withClientId(request));
    }

    /** A cancelled request gets no response, so it ends at once. */
    private void cancel(Notification notification) {
        var id = notification.raw(MessageField.CANCELLED_ID).flatMap(MessageId::parse);
        var cancelled = id.map(open::remove);
        cancelled.ifPresent(each -> each.exchange().end(Ending.empty()));
        if (cancelled.isEmpty()
                || !daemon.removeQueued(cancelled.get().request().id())) {
            daemon.send(notification);
        }
    }

    /** Called when a message of the daemon has arrived. */
    void received(Message message) {
        if (message instanceof Response response) {
            answered(response);
        } else if (message instanceof Request serverRequest) {
            forward(serverRequests.forClient(serverRequest));
        } else if (message instanceof Notification notification
                && notification.method().equals(Methods.CANCELLED)) {
            serverRequests.cancelled(notification).ifPresent(this::offer);
        } else {
            offer(message);
        }
    }

    private void forward(Request serverRequest) {
        if (offer(serverRequest) == Exchange.Offer.FULL) {
            var why = Failure.of(ErrorCode.METHOD_NOT_FOUND, "the client does not read server requests");
            serverRequests
                    .forDaemon(JsonRpcErrorMapper.toResponse(serverRequest.id(), why, ""))
                    .ifPresent(daemon::send);
        }
    }

    private Exchange.Offer offer(Message message) {
        var stream = serverStream;
        return stream == null ? Exchange.Offer.FULL : stream.offer(message);
    }

    private void answered(Response response) {
        var asked = response.id().map(open::remove).orElse(null);
        if (asked == null) {
            return;
        }
        if (!response.isError()) {
            session.succeeded(asked.request(), response);
        }
        asked.exchange().end(Ending.answer(response));
    }

    /** Called when a request gets no response. */
    void failed(MessageId id, Failure why) {
        var asked = open.remove(id);
        if (asked != null) {
            asked.exchange().end(Ending.answer(JsonRpcErrorMapper.toResponse(id, why, "")));
        }
    }

    /** Called when the connection is lost, and with it the server requests sent over it. */
    void lost() {
        serverRequests.cancelAll().forEach(this::offer);
    }

    /** Called when there is a new connection, with the session state restored. */
    void reconnected() {
        session.changeNotifications().forEach(this::received);
    }

    @Override
    public void closed() {
        onClose.run();
    }

    /**
     * The server requests that the client has not answered. The client sees ids of our own, so its response to one
     * daemon never reaches the next one, which may use the same ids. Thread-safe.
     */
    private static final class PendingServerRequests {
        private final AtomicLong last = new AtomicLong();
        private final Map<MessageId, MessageId> daemonIds = new ConcurrentHashMap<>();

        /** Registers a request; returns it with the id for the client. */
        Request forClient(Request request) {
            var id = MessageId.of("ask-" + last.incrementAndGet());
            daemonIds.put(id, request.id());
            return SessionState.withId(request, id);
        }

        /** The response with the daemon's id; empty if the request is not pending. */
        Optional<Response> forDaemon(Response answer) {
            return answer.id().map(daemonIds::remove).map(id ->
                    (Response) answer.splice().id(id).done());
        }

        /** Removes a request that the daemon cancelled; the notification for the client, empty if it is not pending. */
        Optional<Notification> cancelled(Notification cancelled) {
            var id = cancelled.raw(MessageField.CANCELLED_ID).flatMap(MessageId::parse);
            return daemonIds.entrySet().stream()
                    .filter(entry -> id.filter(entry.getValue()::equals).isPresent())
                    .map(Map.Entry::getKey)
                    .findFirst()
                    .map(ours -> remove(ours, cancelled));
        }

        private Notification remove(MessageId ours, Notification cancelled) {
            daemonIds.remove(ours);
            return (Notification) cancelled
                    .splice()
                    .replace(MessageField.CANCELLED_ID, ours.raw())
                    .done();
        }

        /** Removes all requests of a lost daemon; the notification for the client for each. */
        List<Notification> cancelAll() {
            var all = List.copyOf(daemonIds.keySet());
            all.forEach(daemonIds::remove);
            return all.stream()
                    .map(id -> Notification.cancelled(id, "the daemon was lost"))
                    .toList();
        }
    }
}
