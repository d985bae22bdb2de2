package io.mcpbridge.upstream;

import io.mcpbridge.call.Call;
import io.mcpbridge.call.CancelReason;
import io.mcpbridge.call.Deadline;
import io.mcpbridge.call.JsonRpcErrors;
import io.mcpbridge.call.Outcome;
import io.mcpbridge.call.Reply;
import io.mcpbridge.call.Timekeeper;
import io.mcpbridge.failure.ErrorCode;
import io.mcpbridge.failure.Failure;
import io.mcpbridge.message.Message;
import io.mcpbridge.message.MessageId;
import io.mcpbridge.message.Request;
import io.mcpbridge.message.Response;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * What a server of the legacy era asks clients while it works for them. Any thread may use it.
 *
 * <p>While somebody is asked the clock of the call stands still: people take their time, but not for ever.
 */
final class ServerQuestions {
    /** How many requests of a server may wait for clients at once. */
    static final int MAX = 64;

    /** How long a client may take to answer. */
    static final Duration PATIENCE = Duration.ofMinutes(10);

    private final UpstreamSession session;
    private final FlightTable flights;
    private final Timekeeper timekeeper;
    private final Map<MessageId, Question> open = new ConcurrentHashMap<>();

    ServerQuestions(UpstreamSession session, FlightTable flights, Timekeeper timekeeper) {
        this.session = session;
        this.flights = flights;
        this.timekeeper = timekeeper;
    }

    /** Asks the client for whose call the server works. */
    void ask(Flight asking, Request request) {
        if (open.size() >= MAX) {
            refuse(request, "%d requests to clients are open already, which is the limit".formatted(MAX));
            return;
        }
        var question = new Question(asking, request);
        if (open.putIfAbsent(request.id(), question) != null) {
            refuse(request, "the id %s is in use already".formatted(request.id().raw()));
            return;
        }
        question.begin();
        if (!flights.has(asking)) {
            ended(asking);
        }
    }

    void refuse(Request request, String why) {
        session.sendAside(JsonRpcErrors.toResponse(request.id(), Failure.of(ErrorCode.METHOD_NOT_FOUND, why), ""));
    }

    /** The server takes a question back; who does so gets no answer to it. */
    void withdraw(MessageId id) {
        var question = open.get(id);
        if (question != null && question.end()) {
            question.call.cancellation().cancel(CancelReason.CLIENT_CANCELLED);
        }
    }

    /** The call has ended, and with it what the server wanted to know for it. */
    void ended(Flight flight) {
        if (open.isEmpty()) {
            return;
        }
        for (var question : List.copyOf(open.values())) {
            if (question.asking == flight) {
                question.withdraw(CancelReason.CALL_ENDED);
            }
        }
    }

    /** The session is over: nobody wants the answers any more. */
    void closed() {
        List.copyOf(open.values()).forEach(question -> question.withdraw(CancelReason.CALL_ENDED));
    }

    /** One request of the server, and the way back for its answer. */
    private final class Question implements Reply {
        private final Flight asking;
        private final Request request;
        private final Call call;
        private volatile Runnable release = () -> {};
        private volatile Timekeeper.Alarm alarm = () -> {};

        private Question(Flight asking, Request request) {
            var from = asking.call();
            var deadline = Deadline.after(PATIENCE, timekeeper);
            this.asking = asking;
            this.request = request;
            this.call = Call.of(request, from.caller(), from.correlationId(), deadline);
        }

        private void begin() {
            release = asking.call().deadline().hold();
            alarm = call.deadline().alarm(() -> withdraw(CancelReason.TIMED_OUT));
            call.caller().client().handle(call, this);
        }

        /** Takes the question from whoever was asked, and tells the server so. */
        private void withdraw(CancelReason why) {
            call.cancellation().cancel(why);
            // Whoever was asked may have told by now, or does not care.
            done(Outcome.failed(Failure.of(why.code(), "the question to the client was withdrawn: " + why.text())));
        }

        private boolean end() {
            if (!open.remove(request.id(), this)) {
                return false;
            }
            alarm.cancel();
            release.run();
            return true;
        }

        @Override
        public void event(Message progressOrLog) {
            session.sendAside(progressOrLog);
        }

        @Override
        public void done(Outcome outcome) {
            if (!end()) {
                return;
            }
            if (outcome instanceof Outcome.Answered answered) {
                session.sendAside(
                        (Response) answered.response().splice().id(request.id()).done());
            } else {
                session.sendAside(JsonRpcErrors.toResponse(request.id(), ((Outcome.Failed) outcome).failure(), ""));
            }
        }
    }
}
