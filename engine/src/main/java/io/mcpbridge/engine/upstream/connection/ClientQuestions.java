package io.mcpbridge.engine.upstream.connection;

import io.mcpbridge.call.Call;
import io.mcpbridge.call.CancelReason;
import io.mcpbridge.call.Deadline;
import io.mcpbridge.call.JsonRpcErrorMapper;
import io.mcpbridge.call.Outcome;
import io.mcpbridge.call.Timekeeper;
import io.mcpbridge.engine.upstream.affinity.ClientAffinity;
import io.mcpbridge.engine.upstream.affinity.ClientAffinity.SessionOwner;
import io.mcpbridge.engine.upstream.connection.PendingRequests.PendingRequest;
import io.mcpbridge.failure.ErrorCode;
import io.mcpbridge.failure.Failure;
import io.mcpbridge.message.Message;
import io.mcpbridge.message.MessageId;
import io.mcpbridge.message.Methods;
import io.mcpbridge.message.Request;
import io.mcpbridge.message.Response;
import io.mcpbridge.spi.BridgeLimits;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Passes the requests of a legacy server, such as elicitations, to clients and their answers back. Any thread; nothing
 * waits.
 *
 * <p>A question is such a request. During a call it goes to the client of that call, whose deadline is paused until the
 * client has answered. While no call is in flight it goes to the client that owns the session.
 */
final class ClientQuestions implements ClientAffinity.Session {
    /** The reason why a message may not go to the only client with calls in flight. */
    static final String CANCELLED_BY_ANOTHER = "it may belong to a call that another client has withdrawn lately";

    /** How long a client may take to answer. */
    private static final Duration ANSWER_TIMEOUT = Duration.ofMinutes(10);

    /** How long a question waits for an owner of the session; servers request roots right after the handshake. */
    private static final Duration OWNER_TIMEOUT = Duration.ofSeconds(30);

    /** The most questions that may wait for an owner; no server needs more than one. */
    private static final int MAX_WAITING = 8;

    private final String server;
    private final RequestWriter writer;
    private final PendingRequests pending;
    private final Timekeeper timekeeper;
    private final BridgeLimits bounds;
    private final Supplier<SessionOwner> owner;
    private final Map<MessageId, Question> open = new ConcurrentHashMap<>();
    private final Map<MessageId, Waiting> waiting = new ConcurrentHashMap<>();
    private volatile @Nullable BiConsumer<Call, Consumer<Outcome>> ownSender;

    private record Waiting(Request request, Timekeeper.Alarm alarm) {}

    /** @param owner returns the current client for server requests outside of calls */
    ClientQuestions(
            UpstreamContext context, RequestWriter writer, PendingRequests pending, Supplier<SessionOwner> owner) {
        this.server = context.server();
        this.writer = writer;
        this.pending = pending;
        this.timekeeper = context.environment().timekeeper();
        this.bounds = context.environment().limits();
        this.owner = owner;
    }

    /** Sets what sends requests of the bridge's own; call it before the connection opens. */
    void useOwnSender(BiConsumer<Call, Consumer<Outcome>> sender) {
        ownSender = sender;
    }

    /**
     * Asks the client of a call: the call of the question's stream or, on a shared stream, the latest call of the
     * client.
     */
    void ask(PendingRequest call, Request request, Origin origin) {
        if (isOverLimit(call.client(), request)) {
            return;
        }
        var from = call.call();
        var own = Call.of(request, from.caller(), from.correlationId(), Deadline.after(ANSWER_TIMEOUT, timekeeper));
        if (begin(new Question(own, origin, Hold.of(call)))) {
            reassignUnlessPending(call);
        }
    }

    /** Asks the client that owns the session, or waits a while for the first one. */
    void askOutsideCalls(Request request) {
        var current = owner.get();
        var mayWait = current.mayCome() && request.method().equals(Methods.ROOTS_LIST) && waiting.size() < MAX_WAITING;
        if (!mayWait) {
            ask(current, request);
            return;
        }
        var alarm = timekeeper.schedule(
                OWNER_TIMEOUT, () -> takeWaiting(request.id()).ifPresent(late -> ask(owner.get(), late)));
        // A server that repeats an id has given up the question before.
        takeWaiting(request.id());
        waiting.put(request.id(), new Waiting(request, alarm));
        // The first owner may have arrived before the question was registered.
        ownerChanged();
    }

    @Override
    public boolean identifiesClients() {
        return writer.isModern() || !writer.sharesStream();
    }

    @Override
    public boolean mayConcernOthersThan(String client) {
        return pending.hasOfOthersThan(client);
    }

    @Override
    public void renameClient(String from, String to) {
        pending.renameClient(from, to);
    }

    @Override
    public void sendOneWay(Message message) {
        writer.sendOneWay(message);
    }

    @Override
    public void ownerChanged() {
        if (waiting.isEmpty() || owner.get().mayCome()) {
            return;
        }
        for (var id : List.copyOf(waiting.keySet())) {
            takeWaiting(id).ifPresent(request -> ask(owner.get(), request));
        }
    }

    private Optional<Request> takeWaiting(MessageId id) {
        var taken = Optional.ofNullable(waiting.remove(id));
        taken.ifPresent(question -> question.alarm().cancel());
        return taken.map(Waiting::request);
    }

    private void ask(SessionOwner current, Request request) {
        var client = current.client();
        if (client.isEmpty()) {
            rejectWithoutClient(request, current.why());
        } else if (pending.hasCancelledOfOthersThan(client.get().session())) {
            rejectWithoutClient(request, CANCELLED_BY_ANOTHER);
        } else if (!isOverLimit(client.get().session(), request)) {
            var name = "question-%s-%s".formatted(server, request.id().raw());
            var call = Call.of(request, client.get(), name, Deadline.after(ANSWER_TIMEOUT, timekeeper));
            begin(new Question(call, Origin.OWN_STREAM, Hold.NONE));
        }
    }

    private boolean isOverLimit(String client, Request request) {
        var theirs = open.values().stream().filter(each -> each.isFor(client)).count();
        var isOfClient = theirs >= bounds.questionsPerClient();
        if (!isOfClient && open.size() < bounds.questions()) {
            return false;
        }
        var words = "%d requests of the server wait for %s already, which is the limit 'limits.%s'";
        reject(
                request,
                ErrorCode.OVERLOADED,
                isOfClient
                        ? words.formatted(bounds.questionsPerClient(), "this client", "questions-per-client")
                        : words.formatted(bounds.questions(), "clients", "questions"));
        return true;
    }

    private boolean begin(Question question) {
        var id = question.request().id();
        if (open.putIfAbsent(id, question) != null) {
            question.release();
            reject(question.request(), "the id %s is in use already".formatted(id.raw()));
            return false;
        }
        question.begin();
        return true;
    }

    /** Rejects a question that no client can answer. */
    void rejectWithoutClient(Request request, String why) {
        reject(request, "no client can be asked '%s': %s".formatted(request.method(), why));
    }

    void reject(Request request, String why) {
        reject(request, ErrorCode.METHOD_NOT_FOUND, why);
    }

    private void reject(Request request, ErrorCode code, String why) {
        writer.sendOneWay(JsonRpcErrorMapper.toResponse(request.id(), Failure.of(code, why), ""));
    }

    /** Cancels a question for the server, which expects no answer. */
    void cancelled(MessageId id) {
        Optional.ofNullable(open.get(id)).ifPresent(question -> question.drop(CancelReason.CLIENT_CANCELLED));
        takeWaiting(id);
    }

    /** Ends the questions of a call that has ended, unless another call of its client takes them over. */
    void ended(PendingRequest call) {
        if (open.isEmpty()) {
            return;
        }
        for (var question : List.copyOf(open.values())) {
            if (question.call() == call) {
                successor(question, call)
                        .ifPresentOrElse(
                                other -> reassign(question, call, other), () -> endWithoutCall(question, call));
            }
        }
    }

    /** Returns another call of the same client that was in flight when the question came, and so may be its cause. */
    private Optional<PendingRequest> successor(Question question, PendingRequest ended) {
        if (question.origin == Origin.OWN_STREAM) {
            return Optional.empty();
        }
        return pending.ofClients().stream()
                .filter(other -> other.client().equals(ended.client()) && other.number() < ended.number())
                .findFirst();
    }

    private void reassign(Question question, PendingRequest from, PendingRequest to) {
        if (question.mayMoveTo(to)) {
            question.move(from, Hold.of(to));
            reassignUnlessPending(to);
        } else if (question.drop(CancelReason.CALL_ENDED)) {
            ask(to, question.request(), Origin.SHARED_STREAM);
        }
    }

    /** Reassigns the questions of a call that ended before they were registered. */
    private void reassignUnlessPending(PendingRequest call) {
        if (!pending.contains(call)) {
            ended(call);
        }
    }

    /**
     * Ends a question that belongs to no call any longer. A request for roots stays open if the client owns the
     * session, since servers send it at any time, independent of calls.
     */
    private void endWithoutCall(Question question, PendingRequest ended) {
        var isForSession = question.origin == Origin.SHARED_STREAM
                && question.request().method().equals(Methods.ROOTS_LIST);
        if (isForSession && isOwner(ended.client())) {
            question.move(ended, Hold.NONE);
        } else {
            question.withdraw(CancelReason.CALL_ENDED);
        }
    }

    private boolean isOwner(String client) {
        return owner.get()
                .client()
                .filter(caller -> caller.session().equals(client))
                .isPresent();
    }

    /** Ends all questions, since the connection has ended. */
    void close() {
        List.copyOf(open.values()).forEach(question -> question.withdraw(CancelReason.CALL_ENDED));
        List.copyOf(waiting.keySet()).forEach(this::takeWaiting);
    }

    /** The stream that a question came on; on a shared stream it may belong to any call of the client. */
    enum Origin {
        OWN_STREAM,
        SHARED_STREAM
    }

    /** The call of a question, if any; its deadline is paused until {@code release} runs. */
    private record Hold(@Nullable PendingRequest call, Runnable release) {
        private static final Hold NONE = new Hold(null, () -> {});

        private static Hold of(PendingRequest call) {
            return new Hold(call, call.call().deadline().hold());
        }
    }

    /**
     * One question to a client, and the reply for its answer. Any thread.
     *
     * <p>It ends once: when it is removed from the map of open questions. Until then the deadline of its call is
     * paused.
     */
    private final class Question implements QuestionReply {
        private final Call question;
        private final Origin origin;
        private final AtomicReference<Hold> hold;
        private volatile Timekeeper.Alarm alarm = () -> {};

        private Question(Call question, Origin origin, Hold hold) {
            this.question = question;
            this.origin = origin;
            this.hold = new AtomicReference<>(hold);
        }

        private Request request() {
            return question.request();
        }

        /** Returns the call that the question belongs to; null if none. */
        private @Nullable PendingRequest call() {
            return hold().call();
        }

        private Hold hold() {
            return Objects.requireNonNull(hold.get());
        }

        private boolean isFor(String client) {
            return question.caller().session().equals(client);
        }

        private void begin() {
            alarm = question.deadline().alarm(() -> withdraw(CancelReason.TIMED_OUT));
            if (open.get(request().id()) != this) {
                alarm.cancel();
            }
            question.caller().client().handle(question, this);
        }

        /** Whether the question may belong to the other call, since both have the same client. */
        private boolean mayMoveTo(PendingRequest other) {
            return other.call().caller().client() == question.caller().client();
        }

        /** Moves it to another call, or to none, unless it has ended or no longer belongs to {@code from}. */
        private void move(PendingRequest from, Hold to) {
            var held = hold();
            var isMoved = held.call() == from && hold.compareAndSet(held, to);
            (isMoved ? held : to).release().run();
        }

        /** Cancels it at the client and answers the server with the reason. */
        private void withdraw(CancelReason why) {
            question.cancellation().cancel(why);
            // The client may have answered meanwhile, or ignore the cancellation.
            complete(Outcome.failed(Failure.of(why.code(), "the question to the client was withdrawn: " + why.text())));
        }

        /** Cancels it at the client without an answer to the server; returns false if it has ended already. */
        private boolean drop(CancelReason why) {
            var isMine = end();
            if (isMine) {
                question.cancellation().cancel(why);
            }
            return isMine;
        }

        private boolean end() {
            if (!open.remove(request().id(), this)) {
                return false;
            }
            release();
            return true;
        }

        /** Resumes the deadline of its call. */
        private void release() {
            alarm.cancel();
            hold.getAndSet(Hold.NONE).release().run();
        }

        @Override
        public void sendOwn(Call call, Consumer<Outcome> then) {
            Objects.requireNonNull(ownSender).accept(call, then);
        }

        @Override
        public void event(Message progressOrLog) {
            writer.sendOneWay(progressOrLog);
        }

        @Override
        public void complete(Outcome outcome) {
            if (!end()) {
                return;
            }
            var id = request().id();
            writer.sendOneWay(
                    outcome instanceof Outcome.Answered answered
                            ? (Response) answered.response().splice().id(id).done()
                            : JsonRpcErrorMapper.toResponse(id, ((Outcome.Failed) outcome).failure(), ""));
        }
    }
}
