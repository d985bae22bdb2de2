package io.mcpbridge.retry.runonce;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.mcpbridge.call.Call;
import io.mcpbridge.call.CancelReason;
import io.mcpbridge.call.Cancellation;
import io.mcpbridge.call.Outcome;
import io.mcpbridge.call.Principal;
import io.mcpbridge.call.Timekeeper;
import io.mcpbridge.failure.Delivery;
import io.mcpbridge.failure.ErrorCode;
import io.mcpbridge.failure.Failure;
import io.mcpbridge.message.Message;
import io.mcpbridge.message.Part;
import io.mcpbridge.spi.CallContext;
import io.mcpbridge.spi.CallStage.Next;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * One run of a call, and the calls that wait for it. A client that has disconnected may come back, so the run continues
 * without it for a grace period; a client that cancels its call ends the run, if no other call waits. Any thread.
 */
final class KeyedCall {
    private final Id id;
    private final String digest;
    private final KeyedCalls table;
    private final RunOnceSettings settings;
    private final Timekeeper timekeeper;
    private final Cancellation cancellation = new Cancellation();
    private final ReentrantLock lock = new ReentrantLock();
    private volatile Timekeeper.Alarm deadline = () -> {};

    @GuardedBy("lock")
    private final List<Member> members = new ArrayList<>(1);

    @GuardedBy("lock")
    private @Nullable Outcome outcome;

    @GuardedBy("lock")
    private Timekeeper.Alarm graceTime = () -> {};

    KeyedCall(Id id, String digest, KeyedCalls table, RunOnceSettings settings, Timekeeper timekeeper) {
        this.id = id;
        this.digest = digest;
        this.table = table;
        this.settings = settings;
        this.timekeeper = timekeeper;
    }

    Id id() {
        return id;
    }

    /** Whether it asks what a request with this digest does. */
    boolean asks(String other) {
        return digest.equals(other);
    }

    /** Waits for the outcome, or gets it at once. */
    void join(CallContext call) {
        var member = new Member(call);
        Outcome known;
        lock.lock();
        try {
            known = outcome;
            if (known == null) {
                members.add(member);
                graceTime.cancel();
            }
        } finally {
            lock.unlock();
        }
        if (known != null) {
            call.complete(known);
            return;
        }
        member.link = call.cancellation().onCancel(reason -> leave(member, reason));
        if (isOver()) {
            member.link.remove();
        }
    }

    /** Sends the call, whose client it may outlive, but not its deadline. */
    void begin(CallContext first, Next next) {
        deadline = first.deadline().alarm(() -> cancellation.cancel(CancelReason.TIMED_OUT));
        var run = first.newAttempt(cancellation);
        run.onComplete(this::ended);
        run.onEvent(event -> notifyOthers(first, event));
        next.handle(run);
        if (isOver()) {
            deadline.cancel();
        }
    }

    /** The first call receives what belongs to the run that it began. */
    private void notifyOthers(CallContext first, Message progressOrLog) {
        for (var member : waiting()) {
            if (member.call != first) {
                member.call.event(progressOrLog);
            }
        }
    }

    private void ended(Outcome ended) {
        List<Member> all;
        lock.lock();
        try {
            outcome = ended;
            all = List.copyOf(members);
            members.clear();
            graceTime.cancel();
        } finally {
            lock.unlock();
        }
        deadline.cancel();
        table.ended(this, ended);
        for (var member : all) {
            member.link.remove();
            member.call.complete(ended);
        }
    }

    /** Drops the outcome; a call that asks for it from now on fails, since the call has run. */
    void forgetOutcome() {
        var words =
                "the call with the key '%s' has run already, but its outcome is not kept any more; it is not repeated";
        lock.lock();
        try {
            outcome = Outcome.failed(
                    Failure.of(ErrorCode.IN_DOUBT, words.formatted(id.key())).withDelivery(Delivery.UNKNOWN));
        } finally {
            lock.unlock();
        }
    }

    private boolean isOver() {
        lock.lock();
        try {
            return outcome != null;
        } finally {
            lock.unlock();
        }
    }

    private List<Member> waiting() {
        lock.lock();
        try {
            return List.copyOf(members);
        } finally {
            lock.unlock();
        }
    }

    /** The last call that is withdrawn stays, to receive how far the run got. */
    private void leave(Member member, CancelReason reason) {
        boolean ends;
        lock.lock();
        try {
            if (!members.contains(member)) {
                return;
            }
            var isLast = members.size() == 1;
            ends = isLast && reason != CancelReason.CLIENT_GONE;
            if (!ends) {
                members.remove(member);
            }
            if (isLast && !ends) {
                graceTime = timekeeper.schedule(settings.gracePeriod(), this::giveUp);
            }
        } finally {
            lock.unlock();
        }
        if (ends) {
            cancellation.cancel(reason);
            return;
        }
        var words = "'%s' was withdrawn: %s".formatted(member.call.request().method(), reason.text());
        member.call.complete(Outcome.failed(Failure.of(reason.code(), words).withDelivery(Delivery.UNKNOWN)));
    }

    /** No client came back. */
    private void giveUp() {
        if (waiting().isEmpty()) {
            cancellation.cancel(CancelReason.CLIENT_GONE);
        }
    }

    /** One call that waits; an identity of its own. */
    private static final class Member {
        private final CallContext call;
        private volatile Cancellation.Registration link = () -> {};

        private Member(CallContext call) {
            this.call = call;
        }
    }

    /**
     * Identifies a call with a key.
     *
     * @param round what answers a question of the server, since that is a call of its own; empty in the first round
     */
    record Id(Principal principal, String key, String round) {

        static Id of(Call call, String key) {
            var request = call.request();
            var state = request.raw(Part.REQUEST_STATE).orElse("");
            var responses = request.raw(Part.INPUT_RESPONSES).orElse("");
            return new Id(call.caller().principal(), key, state.isEmpty() ? responses : state);
        }
    }
}
