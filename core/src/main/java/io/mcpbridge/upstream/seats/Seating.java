package io.mcpbridge.upstream.seats;

import io.mcpbridge.call.Call;
import io.mcpbridge.call.Handler;
import io.mcpbridge.call.Outcome;
import io.mcpbridge.call.Reply;
import io.mcpbridge.message.Era;
import io.mcpbridge.message.Message;
import io.mcpbridge.upstream.session.SessionKey;
import java.util.Optional;

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
            next.handle(seat.get().key(), call, new Seated(reply, () -> seats.ended(seat.get())));
        } else {
            next.handle(seats.common(call.caller()), call, reply);
        }
    }

    /** Hears of a call, and that its client needs the seat no longer for it. */
    private record Seated(Reply reply, Runnable ended) implements Reply {

        @Override
        public void event(Message progressOrLog) {
            reply.event(progressOrLog);
        }

        @Override
        public void done(Outcome outcome) {
            ended.run();
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
