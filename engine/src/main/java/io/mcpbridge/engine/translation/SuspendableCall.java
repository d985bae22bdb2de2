package io.mcpbridge.engine.translation;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.mcpbridge.call.Call;
import io.mcpbridge.call.Caller;
import io.mcpbridge.call.CancelReason;
import io.mcpbridge.call.Cancellation;
import io.mcpbridge.call.Deadline;
import io.mcpbridge.call.Handler;
import io.mcpbridge.call.Outcome;
import io.mcpbridge.call.Principal;
import io.mcpbridge.call.Reply;
import io.mcpbridge.call.Timekeeper;
import io.mcpbridge.engine.pipeline.PipelineCall;
import io.mcpbridge.engine.upstream.connection.QuestionReply;
import io.mcpbridge.failure.ErrorCode;
import io.mcpbridge.failure.Failure;
import io.mcpbridge.failure.ProtocolException;
import io.mcpbridge.message.Message;
import io.mcpbridge.message.MessageId;
import io.mcpbridge.message.Methods;
import io.mcpbridge.message.Request;
import io.mcpbridge.message.Response;
import io.mcpbridge.spi.CallStage.Next;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * One call of a modern client to a legacy server. It continues while its client sends one request after the other.
 *
 * <p>Either a request of the client waits for its outcome, or the call is suspended. Requests of the server suspend it: the
 * client's request ends with {@code input_required}, and its next request resumes the call with the answers. An outcome
 * during a suspension is kept for that request. Any thread.
 *
 * <p>The client receives the questions of a round at once: those that the server sent before it answered a ping, which
 * the bridge sends with the first question. A connection keeps the order of messages. Where the server asks on several
 * threads, or over the streams of HTTP, its answer may overtake a question, so the round ends a moment after it.
 */
final class SuspendableCall implements Handler {
    /** How long a round stays open after the answer of its ping, for questions that the answer has overtaken. */
    static final Duration OVERTAKEN = Duration.ofMillis(20);

    /** How long the server may take to answer the ping that ends a round. */
    private static final Duration PING_TIMEOUT = Duration.ofSeconds(1);

    private final SuspendedCalls calls;
    private final TranslatedServer server;
    private final PipelineCall run;
    private final long id;
    private final Deadline deadline;
    private final InputResponses early;
    private final Cancellation upstream = new Cancellation();
    private final ReentrantLock lock = new ReentrantLock();

    /** Whether a round is open. */
    private final AtomicBoolean isCollecting = new AtomicBoolean();

    /** The client's request that waits; null during a suspension and after the end. Written under the lock. */
    private volatile @Nullable PipelineCall waiting;

    /** Requests of the server without an answer, by key. */
    @GuardedBy("lock")
    private final Map<String, Question> open = new LinkedHashMap<>();

    /** The keys that the client received last. */
    @GuardedBy("lock")
    private List<String> asked = List.of();

    /** What the server required and the client did not declare. */
    @GuardedBy("lock")
    private final List<RequiredCapability> missing = new ArrayList<>();

    @GuardedBy("lock")
    private int lastKey;

    @GuardedBy("lock")
    private long round;

    @GuardedBy("lock")
    private @Nullable Suspension suspension;

    /** Watches the deadline from the first suspension on; before it, stages in front of the translation do. */
    @GuardedBy("lock")
    private Timekeeper.@Nullable Alarm deadlineAlarm;

    @GuardedBy("lock")
    private @Nullable Outcome kept;

    @GuardedBy("lock")
    private boolean isOver;

    /** What the end of a suspension undoes, and when it began. */
    private record Suspension(Runnable release, Timekeeper.Alarm expiry, Instant since) {}

    /**
     * Makes a call that has not begun.
     *
     * @param first the client's first request
     * @param early answers that the client sent with it
     */
    SuspendableCall(SuspendedCalls calls, TranslatedServer server, PipelineCall first, long id, InputResponses early) {
        this.calls = calls;
        this.server = server;
        this.run = first.newAttempt(upstream);
        this.id = id;
        this.deadline = first.deadline();
        this.early = early;
    }

    long id() {
        return id;
    }

    Principal principal() {
        return run.caller().principal();
    }

    /** When the current suspension began. */
    Optional<Instant> suspendedSince() {
        lock.lock();
        try {
            return Optional.ofNullable(suspension).map(Suspension::since);
        } finally {
            lock.unlock();
        }
    }

    void begin(Next next, PipelineCall first) {
        waiting = first;
        cancelWith(first);
        run.caller(run.caller().withClient(this));
        run.request(MultiRoundMessages.first(run.request()));
        run.onComplete(this::ended);
        // The first request receives the events of its own run.
        run.onEvent(event -> forward(first, event));
        next.handle(run);
    }

    private void forward(PipelineCall first, Message event) {
        var current = waiting;
        if (current != null && current != first) {
            current.event(event);
        }
    }

    /** A cancelled request cancels the call while it waits, and so does a defect; one that ended before does not. */
    private void cancelWith(PipelineCall request) {
        var link = request.cancellation().onCancel(reason -> {
            if (waiting == request) {
                upstream.cancel(reason);
            }
        });
        request.onComplete(outcome -> {
            link.remove();
            if (request.isDefect()) {
                upstream.cancel(CancelReason.CALL_ENDED);
            }
        });
    }

    /** A request of the server to the client. */
    @Override
    public void handle(Call call, Reply reply) {
        Optional<Question> added;
        try {
            added = InputRequest.read(call.request()).flatMap(input -> add(input, call.request(), reply));
        } catch (ProtocolException unreadable) {
            Question.refuse(
                    call.request(),
                    reply,
                    "it cannot be read: " + unreadable.failure().message());
            return;
        }
        if (added.isEmpty()) {
            Question.refuse(call.request(), reply, "it is unknown, or the call has ended");
            return;
        }
        var question = added.get();
        // A suspension has an expiry of its own, after which the whole call ends.
        var unused = call.deadline().hold();
        if (early.fits(question.key(), question.input().method()) && take(question)) {
            question.answer(early.raw(question.key()));
            return;
        }
        call.cancellation().onCancel(reason -> {
            if (take(question)) {
                question.withdraw(reason);
            }
        });
        collect(reply);
    }

    /** Adds a question, with a new key unless its own is free; empty after the end of the call. */
    private Optional<Question> add(InputRequest input, Request request, Reply reply) {
        lock.lock();
        try {
            if (isOver) {
                return Optional.empty();
            }
            var isFree = !input.key().isEmpty() && !open.containsKey(input.key());
            var question = new Question(isFree ? input : input.withKey(newKey()), request, reply);
            open.put(question.key(), question);
            return Optional.of(question);
        } finally {
            lock.unlock();
        }
    }

    @GuardedBy("lock")
    private String newKey() {
        do {
            lastKey++;
        } while (open.containsKey("input-" + lastKey));
        return "input-" + lastKey;
    }

    /** Removes a question; true for one thread only. */
    private boolean take(Question question) {
        lock.lock();
        try {
            return open.remove(question.key(), question);
        } finally {
            lock.unlock();
        }
    }

    /** Begins a round with its first question. For a program in this process, each question is a round. */
    private void collect(Reply reply) {
        if (!(reply instanceof QuestionReply connection)) {
            askClient();
            return;
        }
        if (!isCollecting.compareAndSet(false, true)) {
            return;
        }
        var cancellation = upstream.child();
        var ping = Call.of(
                        Request.of(MessageId.of(0), Methods.PING),
                        Caller.ANONYMOUS,
                        run.correlationId(),
                        Deadline.after(PING_TIMEOUT, timekeeper()))
                .withCancellation(cancellation.cancellation());
        connection.sendOwn(ping, outcome -> {
            cancellation.link().remove();
            timekeeper().schedule(OVERTAKEN, this::endRound);
        });
    }

    private void endRound() {
        isCollecting.set(false);
        askClient();
    }

    private Timekeeper timekeeper() {
        return server.environment().timekeeper();
    }

    /** Suspends the call if its round is complete and a request of the client waits that can carry the questions. */
    private void askClient() {
        PipelineCall current;
        Runnable then;
        lock.lock();
        try {
            current = waiting;
            if (current == null || open.isEmpty() || isCollecting.get()) {
                return;
            }
            then = suspend(current);
        } finally {
            lock.unlock();
        }
        current.run(then);
    }

    @GuardedBy("lock")
    private Runnable suspend(PipelineCall current) {
        var undeclared = takeUndeclared(current.caller().capabilities());
        Runnable refusals = () -> undeclared.forEach(Question::refuseUndeclared);
        if (open.isEmpty()) {
            return refusals;
        }
        var full = calls.admit(this);
        if (full.isPresent()) {
            var questions = finish();
            return () -> {
                refusals.run();
                calls.leave(this);
                questions.forEach(question -> question.withdraw(CancelReason.CANNOT_BE_ASKED));
                upstream.cancel(CancelReason.CANNOT_BE_ASKED);
                current.complete(Outcome.failed(full.get().withServer(server.name())));
            };
        }
        round++;
        waiting = null;
        if (deadlineAlarm == null) {
            deadlineAlarm = deadline.alarm(() -> upstream.cancel(CancelReason.TIMED_OUT));
        }
        var thisRound = round;
        var expiry = timekeeper().schedule(calls.settings().expiry(), () -> expired(thisRound));
        suspension = new Suspension(deadline.hold(), expiry, timekeeper().now());
        asked = List.copyOf(open.keySet());
        var questions = json(due());
        return () -> {
            refusals.run();
            var state = calls.tokens().seal(server, current, new ResumeTokens.Suspended(id, thisRound));
            current.complete(MultiRoundMessages.inputRequired(current.request().id(), questions, state));
        };
    }

    @GuardedBy("lock")
    private List<Question> takeUndeclared(String capabilities) {
        var undeclared = open.values().stream()
                .filter(question -> !question.input().capability().isIn(capabilities))
                .toList();
        for (var question : undeclared) {
            open.remove(question.key());
            missing.add(question.input().capability());
        }
        return undeclared;
    }

    /** The open questions that the client has received. */
    @GuardedBy("lock")
    private List<Question> due() {
        var due = new ArrayList<Question>();
        for (var key : asked) {
            var question = open.get(key);
            if (question != null) {
                due.add(question);
            }
        }
        return due;
    }

    private static Map<String, String> json(List<Question> questions) {
        var json = new LinkedHashMap<String, String>();
        questions.forEach(question -> json.put(question.key(), question.input().json()));
        return json;
    }

    /** Ends the call; returns the questions that remain without an answer. */
    @GuardedBy("lock")
    private List<Question> finish() {
        isOver = true;
        waiting = null;
        if (deadlineAlarm != null) {
            deadlineAlarm.cancel();
        }
        var questions = List.copyOf(open.values());
        open.clear();
        return questions;
    }

    /** Continues the call with the answers of the client's next request, or asks again. */
    void resume(PipelineCall next, long ofRound, InputResponses responses) {
        Runnable then;
        lock.lock();
        try {
            then = resumed(next, ofRound, responses);
        } finally {
            lock.unlock();
        }
        then.run();
    }

    @GuardedBy("lock")
    private Runnable resumed(PipelineCall next, long ofRound, InputResponses responses) {
        if (waiting != null || ofRound != round) {
            var words = "this 'requestState' was used already; each one continues its call once";
            return () -> next.complete(MultiRoundMessages.invalid(words));
        }
        if (isOver) {
            endSuspension();
            return collectOutcome(next);
        }
        var due = due();
        if (!due.stream()
                .allMatch(question ->
                        responses.fits(question.key(), question.input().method()))) {
            var again = MultiRoundMessages.inputRequiredAgain(next.request(), json(due));
            return () -> next.complete(again);
        }
        due.forEach(question -> open.remove(question.key()));
        waiting = next;
        endSuspension();
        return () -> {
            cancelWith(next);
            due.forEach(question -> question.answer(responses.raw(question.key())));
            askClient();
        };
    }

    @GuardedBy("lock")
    private void endSuspension() {
        var current = suspension;
        if (current != null) {
            current.expiry().cancel();
            current.release().run();
            suspension = null;
        }
    }

    /** Gives the outcome that the call had during its suspension to {@code next}, once. */
    @GuardedBy("lock")
    private Runnable collectOutcome(PipelineCall next) {
        var outcome = kept;
        kept = null;
        if (outcome == null) {
            return () -> next.complete(calls.lapsedOutcome());
        }
        return delivery(next, outcome);
    }

    /** Delivers the call's outcome to the client's last request. */
    @GuardedBy("lock")
    private Runnable delivery(PipelineCall last, Outcome outcome) {
        var undeclared = List.copyOf(missing);
        return () -> {
            calls.leave(this);
            last.complete(translated(last, outcome, undeclared));
        };
    }

    /** A call that its server answers with an error after it missed a capability of the client fails because of that. */
    private Outcome translated(PipelineCall last, Outcome outcome, List<RequiredCapability> undeclared) {
        var isAnswered = outcome instanceof Outcome.Answered;
        return !undeclared.isEmpty() && isAnswered && MultiRoundMessages.isFailure(outcome)
                ? MultiRoundMessages.capabilityMissing(last.request().id(), server.name(), undeclared)
                : new UrlElicitationTranslator(server, calls.tokens()).translate(last, outcome, calls.expiresAt());
    }

    private void expired(long ofRound) {
        List<Question> questions;
        lock.lock();
        try {
            if (waiting != null || ofRound != round || suspension == null) {
                return;
            }
            kept = null;
            endSuspension();
            questions = finish();
        } finally {
            lock.unlock();
        }
        calls.lapse(this);
        questions.forEach(question -> question.withdraw(CancelReason.TIMED_OUT));
        upstream.cancel(CancelReason.TIMED_OUT);
    }

    private void ended(Outcome outcome) {
        List<Question> questions;
        PipelineCall last;
        Runnable then = () -> {};
        lock.lock();
        try {
            if (isOver) {
                return;
            }
            last = waiting;
            if (last == null) {
                kept = outcome;
            } else {
                then = delivery(last, outcome);
            }
            questions = finish();
        } finally {
            lock.unlock();
        }
        if (last != null) {
            last.run(then);
        }
        questions.forEach(question -> question.withdraw(CancelReason.CALL_ENDED));
    }

    /** A request of the server that the client has to answer. The thread that removes it from its call answers it. */
    private record Question(InputRequest input, Request request, Reply reply) {

        private String key() {
            return input.key();
        }

        private void answer(String result) {
            reply.complete(Outcome.answered(Response.result(request.id(), result)));
        }

        private void withdraw(CancelReason reason) {
            var words = "The client did not answer '%s': %s.".formatted(request.method(), reason.text());
            reply.complete(Outcome.failed(Failure.of(reason.code(), words)));
        }

        private void refuseUndeclared() {
            refuse(request, reply, "it did not declare the capability '%s'".formatted(input.capability()));
        }

        private static void refuse(Request request, Reply reply, String why) {
            var words = "The client cannot be asked '%s': %s.".formatted(request.method(), why);
            reply.complete(Outcome.failed(Failure.of(ErrorCode.METHOD_NOT_FOUND, words)));
        }
    }
}
