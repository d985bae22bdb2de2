package io.mcpbridge.upstream;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.mcpbridge.call.Call;
import io.mcpbridge.call.Caller;
import io.mcpbridge.call.CancelReason;
import io.mcpbridge.call.Deadline;
import io.mcpbridge.call.JsonRpcErrors;
import io.mcpbridge.call.Outcome;
import io.mcpbridge.call.Reply;
import io.mcpbridge.call.Timekeeper;
import io.mcpbridge.failure.Failure;
import io.mcpbridge.message.Message;
import io.mcpbridge.message.MessageId;
import io.mcpbridge.message.Request;
import io.mcpbridge.message.Response;
import java.time.Duration;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BiPredicate;
import org.jspecify.annotations.Nullable;

/**
 * One request of a server that a client has to answer, and the way back for its answer. Any thread.
 *
 * <p>From the moment it is made it holds the clock of a call, and lets go of it when it ends, which it does once.
 */
final class OpenQuestion implements Reply {
    /** How long a client may take to answer. */
    static final Duration PATIENCE = Duration.ofMinutes(10);

    private final UpstreamSession session;
    private final Request request;
    private final boolean isVague;
    private final BiPredicate<MessageId, OpenQuestion> leave;
    private final Call call;
    private final Timekeeper.Alarm alarm;
    private final ReentrantLock lock = new ReentrantLock();

    @GuardedBy("lock")
    private Hold hold;

    @GuardedBy("lock")
    private boolean isOver;

    /** On which call a question hangs, if it does on one, whose clock stands still until {@code release} runs. */
    private record Hold(@Nullable Flight on, Runnable release) {

        private static Hold of(Flight flight) {
            return new Hold(flight, flight.call().deadline().hold());
        }

        private static Hold none() {
            return new Hold(null, () -> {});
        }
    }

    /**
     * Makes a question that is not asked yet.
     *
     * @param isVague whether other calls of the client may be meant
     * @param leave takes it out of the open ones; true only for one thread
     */
    OpenQuestion(
            UpstreamSession session,
            Flight asking,
            Request request,
            boolean isVague,
            Timekeeper timekeeper,
            BiPredicate<MessageId, OpenQuestion> leave) {
        var from = asking.call();
        this.session = session;
        this.request = request;
        this.isVague = isVague;
        this.leave = leave;
        this.call = Call.of(request, from.caller(), from.correlationId(), Deadline.after(PATIENCE, timekeeper));
        this.hold = Hold.of(asking);
        this.alarm = call.deadline().alarm(() -> withdraw(CancelReason.TIMED_OUT));
    }

    /** Makes a question that belongs to no call and is not asked yet; {@code client} is asked. */
    OpenQuestion(
            UpstreamSession session,
            Caller client,
            Request request,
            Timekeeper timekeeper,
            BiPredicate<MessageId, OpenQuestion> leave) {
        this.session = session;
        this.request = request;
        this.isVague = false;
        this.leave = leave;
        var name = "question-%s-%s".formatted(session.server(), request.id().raw());
        this.call = Call.of(request, client, name, Deadline.after(PATIENCE, timekeeper));
        this.hold = Hold.none();
        this.alarm = call.deadline().alarm(() -> withdraw(CancelReason.TIMED_OUT));
    }

    Request request() {
        return request;
    }

    boolean isVague() {
        return isVague;
    }

    /** The call that it hangs on; null where it belongs to none. */
    @Nullable
    Flight asking() {
        lock.lock();
        try {
            return hold.on();
        } finally {
            lock.unlock();
        }
    }

    boolean isFor(String client) {
        return call.caller().session().equals(client);
    }

    void begin() {
        call.caller().client().handle(call, this);
    }

    /** Whether whoever was asked answers for that call too. */
    boolean mayMoveTo(Flight other) {
        return other.call().caller().client() == call.caller().client();
    }

    /** Hangs the question on another call, unless it is over or does not hang on {@code from} any more. */
    void move(Flight from, Flight other) {
        hang(from, Hold.of(other));
    }

    /** Hangs the question on no call any more, with the same exceptions. */
    void letGo(Flight from) {
        hang(from, Hold.none());
    }

    private void hang(Flight from, Hold other) {
        var released = other;
        lock.lock();
        try {
            if (!isOver && hold.on() == from) {
                var next = released;
                released = hold;
                hold = next;
            }
        } finally {
            lock.unlock();
        }
        released.release().run();
    }

    /** Takes the question from whoever was asked, and tells the server so. */
    void withdraw(CancelReason why) {
        call.cancellation().cancel(why);
        // Whoever was asked may have told by now, or does not care.
        done(Outcome.failed(Failure.of(why.code(), "the question to the client was withdrawn: " + why.text())));
    }

    /** Takes the question from whoever was asked without a word to the server; false if it is over already. */
    boolean drop(CancelReason why) {
        var isMine = end();
        if (isMine) {
            call.cancellation().cancel(why);
        }
        return isMine;
    }

    private boolean end() {
        if (!leave.test(request.id(), this)) {
            return false;
        }
        free();
        return true;
    }

    /** Lets the clock of the call go on. */
    void free() {
        alarm.cancel();
        Hold last;
        lock.lock();
        try {
            isOver = true;
            last = hold;
        } finally {
            lock.unlock();
        }
        last.release().run();
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
