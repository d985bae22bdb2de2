package io.mcpbridge.translate;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.mcpbridge.call.Call;
import io.mcpbridge.call.CancelReason;
import io.mcpbridge.call.Cancellation;
import io.mcpbridge.call.Handler;
import io.mcpbridge.call.Outcome;
import io.mcpbridge.call.Principal;
import io.mcpbridge.call.Reply;
import io.mcpbridge.message.Message;
import java.time.Instant;
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
    private final ParkedCalls home;
    private final ServerSide server;
    private final Call first;
    private final long id;
    private final Cancellation upstream = new Cancellation();
    private final Desk desk;
    private final Gathering gathering;
    private final CallEnd end;
    private final ReentrantLock lock = new ReentrantLock();

    @GuardedBy("lock")
    private final ParkingPlace place;

    @GuardedBy("lock")
    private long round;

    @GuardedBy("lock")
    private boolean isOver;

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
        this.gathering = new Gathering(server.environment().timekeeper(), this::gathered);
        this.end = new CallEnd(home, server);
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
        var asking = first.caller().but().client(desk).build();
        next.handle(first.withCaller(asking).withCancellation(upstream), new Running());
    }

    /** A client that goes away while it waits wants no result; one that was asked may come back. */
    private void abandoned(Leg which, CancelReason reason) {
        if (leg == which) {
            upstream.cancel(reason);
        }
    }

    /** While the call is parked its client cannot be asked; it is when it comes back. */
    private void gather() {
        if (leg != null) {
            gathering.arrived();
        }
    }

    private void gathered() {
        Runnable then;
        lock.lock();
        try {
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
        end.askedInVain(impossible);
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
            place.leave();
            return end.collect(this, next);
        }
        var answered = desk.takeAnswered(answers);
        if (answered.isEmpty()) {
            var asking = InputRequired.askingAgain(next.call().request(), desk.askAgain());
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

    private void expired(long ofRound) {
        lock.lock();
        try {
            if (leg != null || ofRound != round || place.since().isEmpty()) {
                return;
            }
            end.forget();
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
            if (last == null) {
                end.keep(outcome);
            }
            finish();
        } finally {
            lock.unlock();
        }
        desk.close(CancelReason.CALL_ENDED);
        if (last != null) {
            home.leave(this);
            end.tell(last, outcome);
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
