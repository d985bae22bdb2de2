package io.mcpbridge.upstream;

import io.mcpbridge.call.Timekeeper;
import io.mcpbridge.message.MessageId;
import io.mcpbridge.message.Methods;
import io.mcpbridge.message.Notification;
import io.mcpbridge.message.Part;
import io.mcpbridge.message.Request;
import io.mcpbridge.message.Response;
import io.mcpbridge.spi.Outgoing;
import java.util.Optional;
import java.util.Set;

/**
 * What a server sends on its own: progress, log messages, changes of its lists, and requests to a client.
 *
 * <p>Each reaches the client whose call it belongs to and nobody else; where that cannot be told it is dropped,
 * and a request is refused.
 */
final class ServerMessages {
    private static final Set<String> FOR_CLIENTS =
            Set.of(Methods.SAMPLING_CREATE_MESSAGE, Methods.ELICITATION_CREATE, Methods.ROOTS_LIST);

    private final UpstreamSession session;
    private final FlightTable flights;
    private final SessionListener listener;
    private final ServerQuestions questions;
    private final Attribution attribution;
    private final OutsideQuestions outside;

    ServerMessages(
            UpstreamSession session,
            FlightTable flights,
            Attribution attribution,
            ServerQuestions questions,
            Aftermath aftermath,
            Timekeeper timekeeper,
            SessionListener listener) {
        this.session = session;
        this.questions = questions;
        this.flights = flights;
        this.attribution = attribution;
        this.listener = listener;
        this.outside = new OutsideQuestions(questions, aftermath, timekeeper, listener::occupant);
    }

    void notification(Notification notification, Optional<Outgoing> stream) {
        switch (notification.method()) {
            case Methods.TOOLS_LIST_CHANGED,
                    Methods.PROMPTS_LIST_CHANGED,
                    Methods.RESOURCES_LIST_CHANGED,
                    Methods.RESOURCES_UPDATED,
                    Methods.SUBSCRIPTIONS_ACKNOWLEDGED ->
                session.attendants()
                        .listening()
                        .ifPresentOrElse(
                                listening -> listening.heard(notification, stream),
                                () -> listener.notified(session, notification));
            case Methods.PROGRESS -> progress(notification);
            case Methods.LOG_MESSAGE ->
                attribution
                        .of(stream)
                        .flight()
                        .ifPresentOrElse(flight -> flight.reply().event(notification), () -> drop(notification));
            case Methods.CANCELLED ->
                notification.raw(Part.CANCELLED_ID).flatMap(MessageId::parse).ifPresent(this::cancelled);
            default -> listener.notified(session, notification);
        }
    }

    private void cancelled(MessageId id) {
        if (session.attendants()
                .listening()
                .filter(listening -> listening.cancelled(id))
                .isEmpty()) {
            questions.withdraw(id);
            outside.withdraw(id);
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
            session.sendAside(Response.result(request.id(), "{}"));
            return;
        }
        if (session.isModern()) {
            listener.dropped("a request, which no server of this era may send: " + request);
            questions.refuse(request, "servers of revision 2026-07-28 ask with 'input_required' and send no requests");
            return;
        }
        if (!FOR_CLIENTS.contains(request.method())) {
            questions.refuse(request, "the bridge does not know the method '%s'".formatted(request.method()));
            return;
        }
        var owner = attribution.of(stream);
        if (owner.isOutside() && stream.isEmpty()) {
            outside.ask(request);
            return;
        }
        owner.flight()
                .ifPresentOrElse(
                        flight -> questions.ask(flight, request, stream.isEmpty()),
                        () -> questions.refuseForNobody(request, owner.why()));
    }

    /** Somebody has come whom the server may ask what belongs to no call, or it is known now that nobody will. */
    void occupied() {
        outside.occupied();
    }

    /** The call has ended, and with it what the server wanted to know for it. */
    void ended(Flight flight) {
        questions.ended(flight);
    }

    /** The session is over: nobody wants the answers any more. */
    void closed() {
        questions.closed();
        outside.closed();
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
}
