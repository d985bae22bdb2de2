package io.mcpbridge.upstream;

import io.mcpbridge.call.Caller;
import io.mcpbridge.call.CancelReason;
import io.mcpbridge.call.JsonRpcErrors;
import io.mcpbridge.call.Timekeeper;
import io.mcpbridge.failure.ErrorCode;
import io.mcpbridge.failure.Failure;
import io.mcpbridge.message.MessageId;
import io.mcpbridge.message.Methods;
import io.mcpbridge.message.Request;
import io.mcpbridge.spi.Bounds;
import io.mcpbridge.upstream.seats.Occupant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;

/**
 * What a server of the legacy era asks clients while it works for them. Any thread may use it.
 *
 * <p>While somebody is asked the clock of the call stands still: people take their time, but not for ever.
 */
final class ServerQuestions {
    private final UpstreamSession session;
    private final FlightTable flights;
    private final Timekeeper timekeeper;
    private final Bounds bounds;
    private final Supplier<Occupant> occupant;
    private final Map<MessageId, OpenQuestion> open = new ConcurrentHashMap<>();

    /** Makes what asks for this session, which {@code occupant} has. */
    ServerQuestions(
            UpstreamSession session,
            FlightTable flights,
            Timekeeper timekeeper,
            Bounds bounds,
            Supplier<Occupant> occupant) {
        this.session = session;
        this.flights = flights;
        this.timekeeper = timekeeper;
        this.bounds = bounds;
        this.occupant = occupant;
    }

    /**
     * Asks the client for whose call the server works.
     *
     * @param asking that call, or the latest of its client where it cannot be told which one it is
     * @param isVague whether that cannot be told
     */
    void ask(Flight asking, Request request, boolean isVague) {
        if (isRefused(asking.client(), request)) {
            return;
        }
        var question = new OpenQuestion(session, asking, request, isVague, timekeeper, open::remove);
        if (begin(question)) {
            passOnUnlessHere(asking);
        }
    }

    /** Asks the client whose session it is, for none of its calls. */
    void ask(Caller client, Request request) {
        if (!isRefused(client.session(), request)) {
            begin(new OpenQuestion(session, client, request, timekeeper, open::remove));
        }
    }

    private boolean isRefused(String client, Request request) {
        var full = full(client);
        full.ifPresent(why -> refuse(request, ErrorCode.OVERLOADED, why));
        return full.isPresent();
    }

    private boolean begin(OpenQuestion question) {
        var id = question.request().id();
        if (open.putIfAbsent(id, question) != null) {
            question.free();
            refuse(question.request(), "the id %s is in use already".formatted(id.raw()));
            return false;
        }
        question.begin();
        return true;
    }

    private Optional<String> full(String client) {
        var theirs = open.values().stream().filter(each -> each.isFor(client)).count();
        if (theirs >= bounds.questionsPerClient()) {
            var words = "%d requests of the server wait for this client already, which is the limit"
                    + " 'questions-per-client'";
            return Optional.of(words.formatted(bounds.questionsPerClient()));
        }
        var words = "%d requests of the server wait for clients already, which is the limit 'questions'";
        return open.size() < bounds.questions() ? Optional.empty() : Optional.of(words.formatted(bounds.questions()));
    }

    /** Turns a question away that belongs to nobody who could be asked. */
    void refuseForNobody(Request request, String why) {
        refuse(request, "nobody can be asked '%s': %s".formatted(request.method(), why));
    }

    void refuse(Request request, String why) {
        refuse(request, ErrorCode.METHOD_NOT_FOUND, why);
    }

    private void refuse(Request request, ErrorCode code, String why) {
        session.sendAside(JsonRpcErrors.toResponse(request.id(), Failure.of(code, why), ""));
    }

    /** The server takes a question back; who does so gets no answer to it. */
    void withdraw(MessageId id) {
        var question = open.get(id);
        if (question != null) {
            question.drop(CancelReason.CLIENT_CANCELLED);
        }
    }

    /** The call has ended, and with it what the server wanted to know for it and for no other call of its client. */
    void ended(Flight flight) {
        if (open.isEmpty()) {
            return;
        }
        for (var question : List.copyOf(open.values())) {
            if (question.asking() == flight) {
                heir(question, flight)
                        .ifPresentOrElse(heir -> passOn(question, flight, heir), () -> without(question, flight));
            }
        }
    }

    /**
     * No call is left that a question can hang on. Servers ask for roots whenever they like, and one that is under way
     * by chance says nothing of why: such a question goes on where the session is the client's own.
     */
    private void without(OpenQuestion question, Flight ended) {
        var isForSession = question.isVague() && question.request().method().equals(Methods.ROOTS_LIST);
        if (isForSession && isOf(ended.client())) {
            question.letGo(ended);
        } else {
            question.withdraw(CancelReason.CALL_ENDED);
        }
    }

    private boolean isOf(String client) {
        return occupant.get()
                .client()
                .filter(whoever -> whoever.session().equals(client))
                .isPresent();
    }

    /** A call of the same client that was under way when the question came, and that may have been meant. */
    private Optional<Flight> heir(OpenQuestion question, Flight ended) {
        if (!question.isVague()) {
            return Optional.empty();
        }
        return flights.ofClients().stream()
                .filter(flight -> flight.client().equals(ended.client()) && flight.number() < ended.number())
                .findFirst();
    }

    private void passOn(OpenQuestion question, Flight from, Flight heir) {
        if (question.mayMoveTo(heir)) {
            question.move(from, heir);
            passOnUnlessHere(heir);
        } else if (question.drop(CancelReason.CALL_ENDED)) {
            ask(heir, question.request(), true);
        }
    }

    /** What hangs on a call that has ended meanwhile was not there when that was told. */
    private void passOnUnlessHere(Flight flight) {
        if (!flights.has(flight)) {
            ended(flight);
        }
    }

    /** The session is over: nobody wants the answers any more. */
    void closed() {
        List.copyOf(open.values()).forEach(question -> question.withdraw(CancelReason.CALL_ENDED));
    }
}
