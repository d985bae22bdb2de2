package io.mcpbridge.upstream;

import io.mcpbridge.failure.Delivery;
import io.mcpbridge.failure.ErrorCode;
import io.mcpbridge.failure.Failure;
import io.mcpbridge.failure.ProtocolException;
import io.mcpbridge.message.Message;
import io.mcpbridge.message.MessageId;
import io.mcpbridge.message.Methods;
import io.mcpbridge.message.Notification;
import io.mcpbridge.message.Request;
import io.mcpbridge.message.Response;
import io.mcpbridge.spi.Closed;
import io.mcpbridge.spi.Outgoing;
import io.mcpbridge.spi.Transport;
import io.mcpbridge.spi.TransportFailure;
import java.util.Optional;

/**
 * What the transport of one session hears: gives each answer and each failure to the flight that it belongs to, and what
 * the server says of its own to {@link ServerMessages}. Any thread.
 */
final class Incoming implements Transport.Receiver {
    private final UpstreamSession session;
    private final FlightTable flights;
    private final Withdrawals withdrawals;
    private final FlightVerdicts verdicts;
    private final ServerMessages serverMessages;

    Incoming(
            UpstreamSession session,
            FlightTable flights,
            Withdrawals withdrawals,
            FlightVerdicts verdicts,
            ServerMessages serverMessages) {
        this.session = session;
        this.flights = flights;
        this.withdrawals = withdrawals;
        this.verdicts = verdicts;
        this.serverMessages = serverMessages;
    }

    @Override
    public void written(Outgoing out) {
        if (out.message() instanceof Request request) {
            var flight = flights.find(request.id());
            if (flight != null) {
                flight.markWritten();
            }
        }
    }

    @Override
    public void message(Message message, Optional<Outgoing> stream) {
        var now = session.use().heard();
        if (message instanceof Response response) {
            answered(response, now);
        } else if (message instanceof Notification notification) {
            serverMessages.notification(notification, stream);
        } else if (message instanceof Request request) {
            serverMessages.request(request, stream);
        }
    }

    private void answered(Response response, long now) {
        var flight = response.id().map(flights::take).orElse(null);
        if (flight == null) {
            if (response.id().filter(withdrawals::isLate).isEmpty()) {
                session.listener().dropped("an answer to no request of ours: " + response);
            }
            return;
        }
        session.release(flight);
        if (session.isReady()) {
            session.use().answered();
        }
        if (!flight.isOurOwn()) {
            session.listener().latencies().record(flight.begun(), now);
        }
        if (response.unreadable().isEmpty()
                || Methods.lists(flight.call().request().method())) {
            verdicts.answered(flight, response);
        } else {
            session.end(flight, invalid(response.unreadable().get(0).why()));
        }
    }

    @Override
    public void failed(Outgoing out, TransportFailure why) {
        if (!(out.message() instanceof Request request)) {
            if (!session.ending().isLeft()) {
                session.listener()
                        .dropped("a message that the server did not take: "
                                + why.failure().message());
            }
            return;
        }
        var flight = flights.take(request.id());
        if (flight != null && verdicts.concernsSession(flight, why)) {
            session.release(flight);
            verdicts.failed(flight, out, why);
            return;
        }
        session.end(flight, why.failure());
    }

    @Override
    public void unreadable(ProtocolException why, Optional<MessageId> answerTo) {
        session.use().heard();
        var flight = answerTo.map(flights::take).orElse(null);
        if (flight == null) {
            session.listener().dropped("what is no message: " + why.getMessage());
            return;
        }
        session.end(flight, invalid(String.valueOf(why.getMessage())));
    }

    private Failure invalid(String why) {
        var message = "server '%s' broke the protocol: %s".formatted(session.server(), why);
        return Failure.of(ErrorCode.UPSTREAM_INVALID, message).withDelivery(Delivery.ANSWERED);
    }

    @Override
    public void closed(Closed why) {
        session.closed(why);
    }
}
