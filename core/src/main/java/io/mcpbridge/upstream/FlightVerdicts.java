package io.mcpbridge.upstream;

import io.mcpbridge.call.Outcome;
import io.mcpbridge.failure.Delivery;
import io.mcpbridge.failure.ErrorCode;
import io.mcpbridge.failure.Failure;
import io.mcpbridge.message.Era;
import io.mcpbridge.message.Response;
import io.mcpbridge.spi.Outgoing;
import io.mcpbridge.spi.TransportFailure;
import io.mcpbridge.upstream.introduction.VersionRefusal;

/**
 * What the answers to requests of one session are worth: an outcome for whoever called, or a word about what the bridge
 * took for granted, which whoever listens to the session can mend. Any thread; nothing here waits.
 */
final class FlightVerdicts {
    private final UpstreamSession session;
    private final FlightTable flights;
    private final SessionListener listener;

    FlightVerdicts(UpstreamSession session, FlightTable flights, SessionListener listener) {
        this.session = session;
        this.flights = flights;
        this.listener = listener;
    }

    /** Ends a flight that was answered, or has it mended. */
    void answered(Flight flight, Response response) {
        if (flight.isOurOwn()) {
            flight.reply().done(Outcome.answered(response));
        } else if (session.isModern() ? VersionRefusal.isOne(response) : VersionRefusal.asksForModern(response)) {
            var why = rejected("refuses the protocol version that it was found to speak");
            listener.misunderstood(session, flight.call(), flight.reply(), why);
        } else if (session.isModern() && ServerAnswers.isAboutHeaders(response)) {
            var why = rejected("finds the headers of the request at odds with its body");
            listener.misheaded(flight.call(), flight.reply(), why);
        } else {
            var era = session.isModern() ? Era.MODERN : Era.LEGACY;
            flight.reply().done(ServerAnswers.outcome(flight.call(), response, session.server(), era));
        }
    }

    /** Whether a failure says something of the session, so that more than the request must be mended. */
    boolean concernsSession(Flight flight, TransportFailure why) {
        return why.kind() == TransportFailure.Kind.SESSION_LOST
                || isUnauthorized(why.failure())
                || isDoubtful(flight, why.failure());
    }

    /** Has a flight mended whose failure concerns the session. */
    void failed(Flight flight, Outgoing out, TransportFailure why) {
        var judged = flight.judged(why.failure()).withServer(session.server());
        if (why.kind() == TransportFailure.Kind.SESSION_LOST) {
            listener.sessionLost(session, flight.call(), flight.reply(), judged);
        } else if (isUnauthorized(why.failure())) {
            unauthorized(flight, out, why);
        } else {
            listener.misunderstood(session, flight.call(), flight.reply(), judged);
        }
    }

    private void unauthorized(Flight flight, Outgoing out, TransportFailure why) {
        if (flight.isOurOwn()) {
            // The session itself sends it again, which is not there for calls yet if this was its handshake.
            listener.unauthorized(out, flight.reply(), why, reply -> session.sendOwnAgain(flight.call(), out, reply));
        } else {
            listener.unauthorized(out, flight.call(), flight.reply(), why);
        }
    }

    private static boolean isUnauthorized(Failure failure) {
        return failure.status().orElse(0) == 401;
    }

    /** Requests of the modern era stand alone: where others are answered, only this one has failed. */
    private boolean isDoubtful(Flight flight, Failure failure) {
        return !flight.isOurOwn()
                && session.isModern()
                && !session.use().hasAnswered()
                && flights.calls() == 0
                && ServerAnswers.isUnlikeModern(failure.status());
    }

    private Failure rejected(String how) {
        return Failure.of(ErrorCode.UPSTREAM_INVALID, "server '%s' %s".formatted(session.server(), how))
                .withDelivery(Delivery.REJECTED)
                .withServer(session.server());
    }
}
