package io.mcpbridge.upstream;

import io.mcpbridge.call.Call;
import io.mcpbridge.call.Caller;
import io.mcpbridge.call.CancelReason;
import io.mcpbridge.call.Cancellation;
import io.mcpbridge.call.Outcome;
import io.mcpbridge.call.Reply;
import io.mcpbridge.failure.ErrorCode;
import io.mcpbridge.failure.Failure;
import io.mcpbridge.upstream.isolation.ChildKind;
import io.mcpbridge.upstream.isolation.Guest;
import java.util.concurrent.atomic.AtomicBoolean;

/** One call that wants a process for itself; whoever claims it goes on with it. Any thread; nothing waits. */
final class IsolatedErrand implements Guest<IsolatedChild> {
    private final IsolatedCalls calls;
    private final ChildKind kind;
    private final Call call;
    private final Reply reply;
    private final CallQueue.Place place;
    private final AtomicBoolean isClaimed = new AtomicBoolean();
    private volatile Cancellation.Registration link = () -> {};

    IsolatedErrand(IsolatedCalls calls, ChildKind kind, Call call, Reply reply, CallQueue.Place place) {
        this.calls = calls;
        this.kind = kind;
        this.call = call;
        this.reply = reply;
        this.place = place;
    }

    @Override
    public ChildKind kind() {
        return kind;
    }

    @Override
    public Caller caller() {
        return call.caller();
    }

    Call call() {
        return call;
    }

    Reply reply() {
        return reply;
    }

    CallQueue.Place place() {
        return place;
    }

    /** Ends the call when it is withdrawn while it waits. */
    void watch() {
        if (isClaimed.get()) {
            return;
        }
        var registered = call.cancellation().onCancel(reason -> {
            if (isClaimed.compareAndSet(false, true)) {
                calls.forget(this);
                end(withdrawn(reason));
            }
        });
        link = registered;
        if (isClaimed.get()) {
            registered.remove();
        }
    }

    @Override
    public boolean sit(IsolatedChild child) {
        if (!claim()) {
            return false;
        }
        calls.begin(this, child);
        return true;
    }

    @Override
    public void refuse(Failure why) {
        if (claim()) {
            end(why);
        }
    }

    private boolean claim() {
        link.remove();
        return isClaimed.compareAndSet(false, true);
    }

    /** Ends it without having been sent. */
    void end(Failure why) {
        place.leave();
        reply.done(Outcome.failed(why.withServer(calls.server())));
    }

    private Failure withdrawn(CancelReason reason) {
        var figures = calls.figures();
        if (reason == CancelReason.TIMED_OUT && !figures.unready().isEmpty()) {
            var words = "no process of server '%s' became ready for the call within %d ms: %s";
            var span = call.deadline().span().toMillis();
            return Failure.of(ErrorCode.PROVIDER_INIT_FAILED, words.formatted(calls.server(), span, figures.unready()));
        }
        if (reason == CancelReason.TIMED_OUT && figures.taken() >= figures.max()) {
            var words = "no process of server '%s' was free for the call within %d ms; there are %d, which is the limit"
                    + " 'pool.max', and %d calls wait; try again later";
            var span = call.deadline().span().toMillis();
            return Failure.of(
                    ErrorCode.OVERLOADED, words.formatted(calls.server(), span, figures.max(), figures.waiting()));
        }
        var words = "the call waited for a process of server '%s' and was withdrawn: %s";
        return Failure.of(reason.code(), words.formatted(calls.server(), reason.text()));
    }
}
