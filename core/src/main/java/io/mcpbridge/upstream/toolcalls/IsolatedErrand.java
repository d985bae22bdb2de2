package io.mcpbridge.upstream.toolcalls;

import io.mcpbridge.call.Call;
import io.mcpbridge.call.Caller;
import io.mcpbridge.call.CancelReason;
import io.mcpbridge.failure.ErrorCode;
import io.mcpbridge.failure.Failure;
import io.mcpbridge.message.Part;
import io.mcpbridge.upstream.admission.QueuedCall;
import io.mcpbridge.upstream.isolation.ChildKind;
import io.mcpbridge.upstream.isolation.Guest;
import io.mcpbridge.upstream.isolation.PoolFigures;
import io.mcpbridge.upstream.isolation.Round;
import java.util.Optional;

/** One call of a tool that waits for a process for itself, and goes on in it. Any thread; nothing waits. */
final class IsolatedErrand implements Guest<IsolatedChild> {
    private final IsolatedCalls calls;
    private final ChildKind kind;
    private final QueuedCall queued;

    IsolatedErrand(IsolatedCalls calls, ChildKind kind, QueuedCall queued) {
        this.calls = calls;
        this.kind = kind;
        this.queued = queued;
    }

    @Override
    public ChildKind kind() {
        return kind;
    }

    @Override
    public Caller caller() {
        return call().caller();
    }

    Call call() {
        return queued.call();
    }

    QueuedCall queued() {
        return queued;
    }

    static String tool(Call call) {
        return call.request().text(Part.NAME).orElse("");
    }

    /** The round that it continues, where it says so. */
    Optional<Round> continued() {
        return call().request().text(Part.REQUEST_STATE).map(this::round);
    }

    /** What a round of this call is known by; nobody else's is. */
    Round round(String state) {
        return new Round(caller().principal(), tool(call()), state);
    }

    /** Ends the call when it is withdrawn while it waits. */
    void watch() {
        queued.watch(() -> calls.forget(this), reason -> withdrawn(reason, calls.figures()));
    }

    @Override
    public boolean sit(IsolatedChild child) {
        if (!queued.claim()) {
            return false;
        }
        calls.begin(this, child);
        return true;
    }

    @Override
    public void refuse(Failure why) {
        queued.fail(why);
    }

    private Failure withdrawn(CancelReason reason, PoolFigures figures) {
        var server = queued.server();
        var millis = call().deadline().span().toMillis();
        if (reason == CancelReason.TIMED_OUT && !figures.unready().isEmpty()) {
            var words = "no process of server '%s' became ready for the call within %d ms: %s";
            return Failure.of(ErrorCode.PROVIDER_INIT_FAILED, words.formatted(server, millis, figures.unready()));
        }
        if (reason == CancelReason.TIMED_OUT && figures.taken() >= figures.max()) {
            var words = "no process of server '%s' was free for the call within %d ms; there are %d, which is the limit"
                    + " 'pool.max', and %d calls wait; try again later";
            return Failure.of(ErrorCode.OVERLOADED, words.formatted(server, millis, figures.max(), figures.waiting()));
        }
        var words = "the call waited for a process of server '%s' and was withdrawn: %s";
        return Failure.of(reason.code(), words.formatted(server, reason.text()));
    }
}
