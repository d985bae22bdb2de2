package io.mcpbridge.upstream.seats;

import io.mcpbridge.call.Call;
import io.mcpbridge.call.Handler;
import io.mcpbridge.call.Outcome;
import io.mcpbridge.call.Reply;
import io.mcpbridge.message.Era;
import io.mcpbridge.message.Message;
import io.mcpbridge.upstream.session.SessionKey;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;

/** Finds the session for each call, and keeps its client there until the call has ended. Any thread; nothing waits. */
public final class Seating implements Handler {
    private final Seats seats;
    private final Handler connect;
    private final Next next;

    /** Sends a call over the session with this key. */
    public interface Next {
        void handle(SessionKey key, Call call, Reply reply);
    }

    /**
     * Sends calls where their clients sit.
     *
     * @param connect opens the session that is there for all, where it must be known first how the server speaks
     * @param next sends them
     */
    public Seating(Seats seats, Handler connect, Next next) {
        this.seats = seats;
        this.connect = connect;
        this.next = next;
    }

    @Override
    public void handle(Call call, Reply reply) {
        if (!seats.matterTo(call.caller())) {
            next.handle(seats.of(call.caller()), call, reply);
            return;
        }
        var seat = seats.take(call.caller());
        if (seat.isEmpty() && !seats.knowSpeech()) {
            connect.handle(call, new Connecting(reply, () -> handleKnowing(call, reply)));
        } else {
            sit(call, reply, seat);
        }
    }

    /**
     * Finds the client's place without sending anything, and goes on; {@code reply} hears if the server cannot be
     * reached. Requests of the modern era stand for themselves, so for them there is none to be found.
     */
    public void settle(Call call, Reply reply, Runnable then) {
        if (call.caller().era() == Era.MODERN || !seats.matterTo(call.caller())) {
            then.run();
            return;
        }
        var seat = seats.take(call.caller());
        seat.ifPresent(seats::ended);
        if (seat.isEmpty() && !seats.knowSpeech()) {
            connect.handle(call, new Connecting(reply, () -> settle(call, reply, then)));
        } else {
            then.run();
        }
    }

    private void handleKnowing(Call call, Reply reply) {
        sit(call, reply, seats.matterTo(call.caller()) ? seats.take(call.caller()) : Optional.empty());
    }

    private void sit(Call call, Reply reply, Optional<Seat> seat) {
        if (seat.isPresent()) {
            send(call, seat.get(), new Seated(reply, () -> seats.ended(seat.get())));
        } else {
            next.handle(seats.common(call.caller()), call, reply);
        }
    }

    private void send(Call call, Seat seat, Seated seated) {
        try {
            next.handle(seat.key(), call, seated);
        } catch (RuntimeException defect) {
            seated.leave();
            throw defect;
        }
    }

    /** Hears of a call, and that its client needs the seat no longer for it. */
    private static final class Seated implements Reply {
        private final Reply reply;
        private final Runnable ended;
        private final AtomicBoolean hasLeft = new AtomicBoolean();

        private Seated(Reply reply, Runnable ended) {
            this.reply = reply;
            this.ended = ended;
        }

        private void leave() {
            if (hasLeft.compareAndSet(false, true)) {
                ended.run();
            }
        }

        @Override
        public void event(Message progressOrLog) {
            reply.event(progressOrLog);
        }

        @Override
        public void done(Outcome outcome) {
            leave();
            reply.done(outcome);
        }
    }

    /** Goes on once it is known how the server speaks. */
    private record Connecting(Reply reply, Runnable then) implements Reply {

        @Override
        public void event(Message progressOrLog) {}

        @Override
        public void done(Outcome outcome) {
            if (outcome instanceof Outcome.Failed) {
                reply.done(outcome);
            } else {
                then.run();
            }
        }
    }
}
