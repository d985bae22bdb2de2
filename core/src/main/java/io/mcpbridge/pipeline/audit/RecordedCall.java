package io.mcpbridge.pipeline.audit;

import io.mcpbridge.call.Call;
import io.mcpbridge.call.CancelReason;
import io.mcpbridge.call.Cancellation;
import io.mcpbridge.call.Handler;
import io.mcpbridge.call.Outcome;
import io.mcpbridge.call.Reply;
import io.mcpbridge.call.TraceParent;
import io.mcpbridge.failure.ErrorCode;
import io.mcpbridge.failure.Failure;
import io.mcpbridge.message.Message;
import io.mcpbridge.spi.AuditedCall;
import io.mcpbridge.spi.ToolEnter;
import io.mcpbridge.spi.ToolExit;
import java.time.Duration;
import java.util.concurrent.TimeoutException;

/** One call whose beginning and end are recorded: it hears the answer that its client is to get. Any thread. */
final class RecordedCall implements Reply {
    /** How long a call may be held up for each of its records. */
    static final Duration PATIENCE = Duration.ofSeconds(1);

    private final Call call;
    private final AuditedCall audited;
    private final boolean isRequired;
    private final Reply reply;
    private final Handler next;
    private final AuditStage.Parts parts;
    private final CountedAttempts attempts;
    private final TraceParent trace;
    private final long since;

    /** @param isRequired whether the call waits until its records are safe */
    RecordedCall(
            Call call, AuditedCall audited, boolean isRequired, Reply reply, Handler next, AuditStage.Parts parts) {
        this.call = call;
        this.audited = audited;
        this.isRequired = isRequired;
        this.reply = reply;
        this.next = next;
        this.parts = parts;
        this.attempts = new CountedAttempts(call.watch());
        this.trace = TraceParent.of(call);
        this.since = parts.timekeeper().nanoTime();
    }

    /** Records the beginning, and goes on with the call: at once, or when that is safe. */
    void enter() {
        if (!isRequired) {
            parts.sink().enter(entering());
            goOn();
            return;
        }
        var entering = new Entering();
        entering.wait.begin(durable -> parts.sink().enter(entering(), durable), patience());
        entering.follow();
    }

    /** Records both ends of a call that was withdrawn before anybody knew which server it is for. */
    void withdrawn(Failure why) {
        parts.sink().enter(entering());
        endUnsent(why);
    }

    private ToolEnter entering() {
        var caller = call.caller();
        return new ToolEnter(
                call.correlationId(),
                audited,
                AuditedParts.arguments(call.request()),
                caller.principal(),
                caller.clientId(),
                trace,
                parts.continuations().before(call),
                since);
    }

    private Duration patience() {
        var remaining = call.deadline().remaining();
        return remaining.compareTo(PATIENCE) < 0 ? remaining : PATIENCE;
    }

    private void goOn() {
        next.handle(call.withWatch(attempts), this);
    }

    @Override
    public void event(Message progressOrLog) {
        reply.event(progressOrLog);
    }

    /** Records the end, and tells it: at once, or when that is safe, and in any case. */
    @Override
    public void done(Outcome outcome) {
        parts.continuations().ended(call, outcome);
        if (!isRequired) {
            parts.sink().exit(exit(outcome));
            reply.done(outcome);
            return;
        }
        var wait = new DurableWait(parts, "exit", () -> reply.done(outcome), why -> reply.done(outcome));
        wait.begin(durable -> parts.sink().exit(exit(outcome), durable), PATIENCE);
    }

    private ToolExit exit(Outcome outcome) {
        var duration = Duration.ofNanos(parts.timekeeper().nanoTime() - since);
        var caller = call.caller();
        return new ToolExit(
                call.correlationId(),
                audited,
                caller.principal(),
                caller.clientId(),
                trace,
                duration,
                attempts.attempts(),
                outcome);
    }

    /** The call never left: its end is recorded, but nobody waits for that. */
    private void endUnsent(Failure why) {
        var outcome = Outcome.failed(why.withServer(audited.server()));
        parts.sink().exit(exit(outcome));
        reply.done(outcome);
    }

    /** The time until the beginning is safe, which a withdrawal ends too. */
    private final class Entering {
        private final DurableWait wait = new DurableWait(parts, "enter", this::safe, this::unsafe);
        private volatile Cancellation.Registration link = () -> {};
        private volatile boolean isOver;

        /** Ends with the call's withdrawal. */
        private void follow() {
            if (isOver) {
                return;
            }
            link = call.cancellation().onCancel(this::withdrawn);
            if (isOver) {
                link.remove();
            }
        }

        private void safe() {
            leave();
            goOn();
        }

        private void unsafe(Throwable why) {
            leave();
            var words = "'%s' of '%s' was not sent, since the audit that it requires cannot record it: %s";
            endUnsent(Failure.of(
                            ErrorCode.AUDIT_UNAVAILABLE, words.formatted(audited.method(), audited.tool(), kind(why)))
                    .withCause(why));
        }

        /** All that a client may know; the rest stands in the log and in {@code health}. */
        private String kind(Throwable why) {
            return why instanceof TimeoutException
                    ? "its record was not safe in time"
                    : "its record was not kept; whoever runs the bridge finds more in 'health'";
        }

        private void withdrawn(CancelReason reason) {
            if (wait.giveUp()) {
                leave();
                var words = "'%s' was withdrawn before it was recorded and sent: %s";
                endUnsent(Failure.of(reason.code(), words.formatted(audited.method(), reason.text())));
            }
        }

        private void leave() {
            isOver = true;
            link.remove();
        }
    }
}
