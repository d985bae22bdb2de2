package io.mcpbridge.upstream;

import io.mcpbridge.call.Call;
import io.mcpbridge.call.CancelReason;
import io.mcpbridge.call.JsonRpcErrors;
import io.mcpbridge.call.Outcome;
import io.mcpbridge.call.Reply;
import io.mcpbridge.failure.ErrorCode;
import io.mcpbridge.failure.Failure;
import io.mcpbridge.message.Message;
import io.mcpbridge.message.MessageId;
import io.mcpbridge.message.Methods;
import io.mcpbridge.message.Notification;
import io.mcpbridge.message.Part;
import io.mcpbridge.message.Request;
import io.mcpbridge.message.Response;
import io.mcpbridge.spi.Outgoing;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * What a server sends on its own: progress, log messages, changes of its lists, and requests to a client.
 *
 * <p>Each reaches the client whose call it belongs to and nobody else; where that cannot be told it is dropped,
 * and a request is refused.
 */
final class ServerMessages {
    /** How many requests of a server may wait for clients at once. */
    static final int MAX_QUESTIONS = 64;

    private static final Set<String> FOR_CLIENTS =
            Set.of(Methods.SAMPLING_CREATE_MESSAGE, Methods.ELICITATION_CREATE, Methods.ROOTS_LIST);

    private final UpstreamSession session;
    private final FlightTable flights;
    private final SessionListener listener;
    private final Map<MessageId, Question> questions = new ConcurrentHashMap<>();

    /** A request of the server that a client has to answer while {@code asking} is under way. */
    private record Question(Flight asking, Call call) {}

    ServerMessages(UpstreamSession session, FlightTable flights, SessionListener listener) {
        this.session = session;
        this.flights = flights;
        this.listener = listener;
    }

    void notification(Notification notification, Optional<Outgoing> stream) {
        switch (notification.method()) {
            case Methods.PROGRESS -> progress(notification);
            case Methods.LOG_MESSAGE ->
                owner(stream).ifPresentOrElse(flight -> flight.reply().event(notification), () -> drop(notification));
            case Methods.CANCELLED -> cancelQuestion(notification);
            default -> listener.notified(session, notification);
        }
    }

    private void progress(Notification notification) {
        var flight = notification
                .raw(Part.PROGRESS_TOKEN)
                .flatMap(ServerMessages::wireId)
                .map(flights::find)
                .orElse(null);
        if (flight == null || !flight.call().request().has(Part.PROGRESS_TOKEN)) {
            drop(notification);
            return;
        }
        flight.reply().event(notification);
    }

    void request(Request request, Optional<Outgoing> stream) {
        if (request.method().equals(Methods.PING)) {
            answer(Response.result(request.id(), "{}"));
            return;
        }
        if (session.isModern()) {
            listener.dropped("a request, which no server of this era may send: " + request);
            refuse(request, "servers of revision 2026-07-28 ask with 'input_required' and send no requests");
            return;
        }
        if (!FOR_CLIENTS.contains(request.method())) {
            refuse(request, "the bridge does not know the method '%s'".formatted(request.method()));
            return;
        }
        owner(stream)
                .ifPresentOrElse(
                        flight -> ask(flight, request),
                        () -> refuse(
                                request,
                                "no call is under way here that '%s' could belong to alone"
                                        .formatted(request.method())));
    }

    private void ask(Flight asking, Request request) {
        if (questions.size() >= MAX_QUESTIONS) {
            refuse(request, "%d requests to clients are open already, which is the limit".formatted(MAX_QUESTIONS));
            return;
        }
        var from = asking.call();
        var question = new Question(asking, Call.of(request, from.caller(), from.correlationId(), from.deadline()));
        if (questions.putIfAbsent(request.id(), question) != null) {
            refuse(request, "the id %s is in use already".formatted(request.id().raw()));
            return;
        }
        from.caller().client().handle(question.call(), new Answer(request, question));
        if (!flights.has(asking)) {
            ended(asking);
        }
    }

    private void cancelQuestion(Notification notification) {
        var id = notification.raw(Part.CANCELLED_ID).flatMap(MessageId::parse);
        // Taken out first: who cancels a request gets no answer to it.
        var question = id.map(questions::remove).orElse(null);
        if (question != null) {
            question.call().cancellation().cancel(CancelReason.CLIENT_CANCELLED);
        }
    }

    /** The call has ended, and with it what the server wanted to know for it. */
    void ended(Flight flight) {
        if (questions.isEmpty()) {
            return;
        }
        for (var question : questions.values()) {
            if (question.asking() == flight) {
                question.call().cancellation().cancel(CancelReason.CALL_ENDED);
            }
        }
    }

    /** The session is over: nobody wants the answers any more. */
    void closed() {
        questions.values().forEach(question -> question.call().cancellation().cancel(CancelReason.CALL_ENDED));
    }

    private Optional<Flight> owner(Optional<Outgoing> stream) {
        if (stream.isPresent() && stream.get().message() instanceof Request request) {
            return Optional.ofNullable(flights.find(request.id()));
        }
        return flights.ofTheOnlyClient();
    }

    private void refuse(Request request, String why) {
        answer(JsonRpcErrors.toResponse(request.id(), Failure.of(ErrorCode.METHOD_NOT_FOUND, why), ""));
    }

    private void answer(Response response) {
        session.sendAside(response);
    }

    private void drop(Notification notification) {
        listener.dropped("a notification that belongs to no call: " + notification);
    }

    private static Optional<MessageId> wireId(String token) {
        try {
            return Optional.of(MessageId.of(Long.parseLong(token)));
        } catch (NumberFormatException notOurs) {
            return Optional.empty();
        }
    }

    /** Takes a client's answer back to the server that asked. */
    private final class Answer implements Reply {
        private final Request request;
        private final Question question;

        private Answer(Request request, Question question) {
            this.request = request;
            this.question = question;
        }

        @Override
        public void event(Message progressOrLog) {
            session.sendAside(progressOrLog);
        }

        @Override
        public void done(Outcome outcome) {
            if (!questions.remove(request.id(), question)) {
                return;
            }
            if (outcome instanceof Outcome.Answered answered) {
                answer((Response) answered.response().splice().id(request.id()).done());
            } else {
                answer(JsonRpcErrors.toResponse(request.id(), ((Outcome.Failed) outcome).failure(), ""));
            }
        }
    }
}
