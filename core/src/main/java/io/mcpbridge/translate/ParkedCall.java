package io.mcpbridge.translate;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.mcpbridge.call.Call;
import io.mcpbridge.call.CancelReason;
import io.mcpbridge.call.Cancellation;
import io.mcpbridge.call.Handler;
import io.mcpbridge.call.Outcome;
import io.mcpbridge.call.Principal;
import io.mcpbridge.call.Reply;
import io.mcpbridge.call.Timekeeper;
import io.mcpbridge.failure.ProtocolException;
import io.mcpbridge.message.Message;
import io.mcpbridge.message.Part;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * One call to a legacy server on behalf of a modern client, which runs on while the client comes and goes.
 *
 * <p>At any moment one {@link Leg} waits for it, or it is parked. A question of the server parks it: the leg ends with
 * {@code input_required}, and the client's next request becomes the next leg. Any thread.
 */
final class ParkedCall {
    /** How long questions are gathered, so that those asked together go out together. */
    static final Duration GATHERING = Duration.ofMillis(3);

    private final ParkedCalls home;
    private final ServerSide server;
    private final Call first;
    private final long id;
    private final Cancellation upstream = new Cancellation();
    private final ReentrantLock lock = new ReentrantLock();

    @GuardedBy("lock")
    private final OpenQuestions questions = new OpenQuestions();

    @GuardedBy("lock")
    private Timekeeper.@Nullable Alarm deadline;

    @GuardedBy("lock")
    private @Nullable Stay stay;

    @GuardedBy("lock")
    private @Nullable Outcome kept;

    @GuardedBy("lock")
    private long round;

    @GuardedBy("lock")
    private boolean isGathering;

    @GuardedBy("lock")
    private boolean isOver;

    /** Who waits for the call; null while it is parked, and when it is over. Written under the lock. */
    private volatile @Nullable Leg leg;

    /**
     * Makes a call that has not begun.
     *
     * @param first the request of its first round
     */
    ParkedCall(ParkedCalls home, ServerSide server, Call first, long id) {
        this.home = home;
        this.server = server;
        this.first = first;
        this.id = id;
    }

    long id() {
        return id;
    }

    Principal principal() {
        return first.caller().principal();
    }

    Optional<Instant> parkedSince() {
        lock.lock();
        try {
            return Optional.ofNullable(stay).map(Stay::since);
        } finally {
            lock.unlock();
        }
    }

    void begin(Handler next, Leg firstLeg) {
        leg = firstLeg;
        firstLeg.follow(reason -> abandoned(firstLeg, reason));
        var asking = Legacy.caller(first.caller()).but().client(this::asks).build();
        next.handle(first.withCaller(asking).withCancellation(upstream), new Running());
    }

    /** A client that goes away while it waits wants no result; one that was asked may come back. */
    private void abandoned(Leg which, CancelReason reason) {
        if (leg == which) {
            upstream.cancel(reason);
        }
    }

    /** Takes a question of the server. */
    private void asks(Call asked, Reply reply) {
        var request = asked.request();
        try {
            Question.read(request, reply)
                    .flatMap(this::add)
                    .ifPresentOrElse(
                            question -> asked.cancellation().onCancel(reason -> withdraw(question, reason)),
                            () -> Question.refuse(request, reply, "it is unknown, or the call has ended"));
        } catch (ProtocolException unreadable) {
            Question.refuse(request, reply, "it cannot be read: " + unreadable.getMessage());
        }
    }

    private Optional<Question> add(Question wished) {
        lock.lock();
        try {
            if (isOver) {
                return Optional.empty();
            }
            if (leg != null) {
                gather();
            }
            return Optional.of(questions.add(wished));
        } finally {
            lock.unlock();
        }
    }

    @GuardedBy("lock")
    private void gather() {
        if (!isGathering) {
            isGathering = true;
            timekeeper().schedule(GATHERING, this::gathered);
        }
    }

    private Timekeeper timekeeper() {
        return server.environment().timekeeper();
    }

    private void withdraw(Question question, CancelReason reason) {
        boolean isMine;
        lock.lock();
        try {
            isMine = questions.remove(question);
        } finally {
            lock.unlock();
        }
        if (isMine) {
            question.withdraw(reason);
        }
    }

    private void gathered() {
        Runnable then;
        lock.lock();
        try {
            isGathering = false;
            var current = leg;
            then = current == null || questions.isEmpty() ? () -> {} : park(current);
        } finally {
            lock.unlock();
        }
        then.run();
    }

    /** Asks the client, if it can be asked and there is room. */
    @GuardedBy("lock")
    private Runnable park(Leg current) {
        var request = current.call().request();
        var missing = questions.missing(current.call().caller().capabilities());
        if (!missing.isEmpty()) {
            return giveUp(current, InputRequired.impossible(request.id(), server.name(), missing));
        }
        var full = home.admit(this);
        if (full.isPresent()) {
            return giveUp(current, Outcome.failed(full.get().withServer(server.name())));
        }
        round++;
        leg = null;
        beginStay(round);
        var state = home.seal(server, current.call(), new Ticket.Parked(id, round));
        var asking = InputRequired.asking(request.id(), questions.ask(), state);
        return () -> current.end(asking);
    }

    @GuardedBy("lock")
    private void beginStay(long ofRound) {
        if (deadline == null) {
            // Until now the stages before this one watched it, for the leg that ends here.
            deadline = first.deadline().alarm(() -> upstream.cancel(CancelReason.TIMED_OUT));
        }
        var expiry = timekeeper().schedule(home.settings().expiry(), () -> expired(ofRound));
        stay = new Stay(first.deadline().hold(), expiry, timekeeper().now());
    }

    @GuardedBy("lock")
    private void endStay() {
        var current = stay;
        if (current != null) {
            current.end();
            stay = null;
        }
    }

    /** Ends the call because its client cannot be asked. */
    @GuardedBy("lock")
    private Runnable giveUp(Leg current, Outcome outcome) {
        var unanswered = finish();
        return () -> {
            home.leave(this);
            unanswered.forEach(question -> question.withdraw(CancelReason.CANNOT_BE_ASKED));
            upstream.cancel(CancelReason.CANNOT_BE_ASKED);
            current.end(outcome);
        };
    }

    /** From here on nothing counts any more; what the server still wants to know is the caller's to answer. */
    @GuardedBy("lock")
    private List<Question> finish() {
        isOver = true;
        leg = null;
        if (deadline != null) {
            deadline.cancel();
        }
        return questions.takeAll();
    }

    /** Goes on with what the client has brought, or asks once more. */
    void resume(Leg next, long ofRound, InputAnswers answers) {
        Runnable then;
        lock.lock();
        try {
            then = resumed(next, ofRound, answers);
        } finally {
            lock.unlock();
        }
        then.run();
    }

    @GuardedBy("lock")
    private Runnable resumed(Leg next, long ofRound, InputAnswers answers) {
        if (leg != null || ofRound != round) {
            return () -> next.refuse("this 'requestState' was used already; each one continues its call once");
        }
        if (isOver) {
            return over(next);
        }
        if (!questions.areAnsweredBy(answers)) {
            var request = next.call().request();
            var state = request.text(Part.REQUEST_STATE).orElse("");
            var asking = InputRequired.asking(request.id(), questions.askAgain(), state);
            return () -> next.end(asking);
        }
        var answered = questions.takeAsked();
        leg = next;
        endStay();
        if (!questions.isEmpty()) {
            gather();
        }
        return () -> {
            next.follow(reason -> abandoned(next, reason));
            answered.forEach(question -> question.answer(answers.raw(question.key())));
        };
    }

    /** The call has ended while its client was away: the outcome was kept, or it has lapsed. */
    @GuardedBy("lock")
    private Runnable over(Leg next) {
        var outcome = kept;
        kept = null;
        endStay();
        if (outcome == null) {
            return () -> next.refuse(home.lapsedWords());
        }
        return () -> {
            home.leave(this);
            end(next, outcome);
        };
    }

    private void end(Leg last, Outcome outcome) {
        last.end(new UrlElicitations(home, server).translate(last, outcome));
    }

    private void expired(long ofRound) {
        List<Question> unanswered;
        lock.lock();
        try {
            if (leg != null || stay == null || ofRound != round) {
                return;
            }
            kept = null;
            endStay();
            unanswered = finish();
        } finally {
            lock.unlock();
        }
        home.lapse(this);
        unanswered.forEach(question -> question.withdraw(CancelReason.TIMED_OUT));
        upstream.cancel(CancelReason.TIMED_OUT);
    }

    private void ended(Outcome outcome) {
        Leg last;
        List<Question> unanswered;
        lock.lock();
        try {
            if (isOver) {
                return;
            }
            last = leg;
            kept = last == null ? outcome : null;
            unanswered = finish();
        } finally {
            lock.unlock();
        }
        unanswered.forEach(question -> question.withdraw(CancelReason.CALL_ENDED));
        if (last != null) {
            home.leave(this);
            end(last, outcome);
        }
    }

    /** Hears the server. */
    private final class Running implements Reply {

        @Override
        public void event(Message progressOrLog) {
            var current = leg;
            if (current != null) {
                current.reply().event(progressOrLog);
            }
        }

        @Override
        public void done(Outcome outcome) {
            ended(outcome);
        }
    }
}
