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
import io.mcpbridge.message.Message;
import io.mcpbridge.message.Part;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * One call to a legacy server on behalf of a modern client, which runs on while the client comes and goes.
 *
 * <p>At any moment one {@link Leg} waits for it, or it is parked. A question of the server parks it: the leg ends with
 * {@code input_required}, and the client's next request becomes the next leg. Any thread.
 */
final class ParkedCall {
    /** How long no question may come until those that came go out together. */
    static final Duration GATHERING = Duration.ofMillis(20);

    /** How often that begins anew while questions keep coming. */
    private static final int MOST_GATHERINGS = 5;

    private final ParkedCalls home;
    private final ServerSide server;
    private final Call first;
    private final long id;
    private final Cancellation upstream = new Cancellation();
    private final Desk desk;
    private final ReentrantLock lock = new ReentrantLock();

    @GuardedBy("lock")
    private final ParkingPlace place;

    @GuardedBy("lock")
    private @Nullable Outcome kept;

    @GuardedBy("lock")
    private long round;

    @GuardedBy("lock")
    private int arrived;

    @GuardedBy("lock")
    private int gatherings;

    @GuardedBy("lock")
    private boolean isOver;

    /** What the server wanted to know and the client had not declared. */
    private final List<Needs> inVain = new CopyOnWriteArrayList<>();

    /** Who waits for the call; null while it is parked, and when it is over. Written under the lock. */
    private volatile @Nullable Leg leg;

    /**
     * Makes a call that has not begun.
     *
     * @param first the request of its first round
     * @param early what its client has answered without being asked
     */
    ParkedCall(ParkedCalls home, ServerSide server, Call first, long id, InputAnswers early) {
        this.home = home;
        this.server = server;
        this.first = first;
        this.id = id;
        this.desk = new Desk(this::gather, early);
        this.place = new ParkingPlace(first.deadline(), server.environment().timekeeper());
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
            return place.since();
        } finally {
            lock.unlock();
        }
    }

    void begin(Handler next, Leg firstLeg) {
        leg = firstLeg;
        firstLeg.follow(reason -> abandoned(firstLeg, reason));
        var asking = first.caller().but().session(sharedSession()).client(desk).build();
        next.handle(first.withCaller(asking).withCancellation(upstream), new Running());
    }

    /**
     * The name that all calls of this user have: of a question that comes on a stream which all share it cannot be
     * known to which of them it belongs, and need not, as long as the same user answers it.
     */
    private String sharedSession() {
        return "modern " + principal();
    }

    /** A client that goes away while it waits wants no result; one that was asked may come back. */
    private void abandoned(Leg which, CancelReason reason) {
        if (leg == which) {
            upstream.cancel(reason);
        }
    }

    private void gather() {
        lock.lock();
        try {
            arrived++;
            if (leg != null && gatherings == 0) {
                gatherOnce();
            }
        } finally {
            lock.unlock();
        }
    }

    @GuardedBy("lock")
    private void gatherOnce() {
        gatherings++;
        var before = arrived;
        timekeeper().schedule(GATHERING, () -> gathered(before));
    }

    private Timekeeper timekeeper() {
        return server.environment().timekeeper();
    }

    private void gathered(int before) {
        Runnable then;
        lock.lock();
        try {
            if (arrived != before && gatherings < MOST_GATHERINGS) {
                gatherOnce();
                return;
            }
            gatherings = 0;
            var current = leg;
            then = current == null || desk.isEmpty() ? () -> {} : park(current);
        } finally {
            lock.unlock();
        }
        then.run();
    }

    /** Asks the client what it can be asked, if there is room; the server hears at once what it cannot know. */
    @GuardedBy("lock")
    private Runnable park(Leg current) {
        var request = current.call().request();
        var impossible = desk.takeImpossible(current.call().caller().capabilities());
        impossible.forEach(question -> inVain.add(question.needs()));
        if (desk.isEmpty()) {
            return () -> impossible.forEach(Question::refuseUndeclared);
        }
        var full = home.admit(this);
        if (full.isPresent()) {
            return giveUp(current, Outcome.failed(full.get().withServer(server.name())));
        }
        round++;
        leg = null;
        var thisRound = round;
        place.enter(home.settings().expiry(), () -> expired(thisRound), () -> upstream.cancel(CancelReason.TIMED_OUT));
        var state = home.seal(server, current.call(), new Ticket.Parked(id, round));
        var asking = InputRequired.asking(request.id(), desk.ask(), state);
        return () -> {
            impossible.forEach(Question::refuseUndeclared);
            current.end(asking);
        };
    }

    /** Ends the call because there is no room for it. */
    @GuardedBy("lock")
    private Runnable giveUp(Leg current, Outcome outcome) {
        finish();
        return () -> {
            home.leave(this);
            desk.close(CancelReason.CANNOT_BE_ASKED);
            upstream.cancel(CancelReason.CANNOT_BE_ASKED);
            current.end(outcome);
        };
    }

    @GuardedBy("lock")
    private void finish() {
        isOver = true;
        leg = null;
        place.forgetDeadline();
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
        var answered = desk.takeAnswered(answers);
        if (answered.isEmpty()) {
            var request = next.call().request();
            var state = request.text(Part.REQUEST_STATE).orElse("");
            var asking = InputRequired.asking(request.id(), desk.askAgain(), state);
            return () -> next.end(asking);
        }
        leg = next;
        place.leave();
        return () -> {
            next.follow(reason -> abandoned(next, reason));
            answered.get().forEach(question -> question.answer(answers.raw(question.key())));
            if (!desk.isEmpty()) {
                gather();
            }
        };
    }

    /** The call has ended while its client was away: the outcome was kept, or it has lapsed. */
    @GuardedBy("lock")
    private Runnable over(Leg next) {
        var outcome = kept;
        kept = null;
        place.leave();
        if (outcome == null) {
            return () -> next.refuse(home.lapsedWords());
        }
        return () -> {
            home.leave(this);
            end(next, outcome);
        };
    }

    /** A call that fails after a question in vain fails because of that, as far as its client can know. */
    private void end(Leg last, Outcome outcome) {
        last.end(
                !inVain.isEmpty() && InputRequired.isFailure(outcome)
                        ? InputRequired.impossible(last.call().request().id(), server.name(), inVain)
                        : new UrlElicitations(home, server).translate(last, outcome));
    }

    private void expired(long ofRound) {
        lock.lock();
        try {
            if (leg != null || ofRound != round || place.since().isEmpty()) {
                return;
            }
            kept = null;
            place.leave();
            finish();
        } finally {
            lock.unlock();
        }
        home.lapse(this);
        desk.close(CancelReason.TIMED_OUT);
        upstream.cancel(CancelReason.TIMED_OUT);
    }

    private void ended(Outcome outcome) {
        Leg last;
        lock.lock();
        try {
            if (isOver) {
                return;
            }
            last = leg;
            kept = last == null ? outcome : null;
            finish();
        } finally {
            lock.unlock();
        }
        desk.close(CancelReason.CALL_ENDED);
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
