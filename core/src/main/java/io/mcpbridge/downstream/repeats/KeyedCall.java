package io.mcpbridge.downstream.repeats;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.mcpbridge.call.Call;
import io.mcpbridge.call.CancelReason;
import io.mcpbridge.call.Cancellation;
import io.mcpbridge.call.Handler;
import io.mcpbridge.call.Outcome;
import io.mcpbridge.call.Reply;
import io.mcpbridge.call.Timekeeper;
import io.mcpbridge.failure.Delivery;
import io.mcpbridge.failure.ErrorCode;
import io.mcpbridge.failure.Failure;
import io.mcpbridge.message.Message;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * One run of a call, and everybody who waits for it. A client that is gone may come back, so the run goes on without it
 * for a while; one that withdraws its call ends it, if it is the last. Any thread.
 */
final class KeyedCall implements Reply {
    private final CallId id;
    private final String digest;
    private final KeyTable table;
    private final RepeatLimits limits;
    private final Timekeeper timekeeper;
    private final Cancellation cancellation = new Cancellation();
    private final ReentrantLock lock = new ReentrantLock();
    private volatile Timekeeper.Alarm deadline = () -> {};

    @GuardedBy("lock")
    private final List<Member> members = new ArrayList<>(1);

    @GuardedBy("lock")
    private @Nullable Outcome outcome;

    @GuardedBy("lock")
    private Timekeeper.Alarm lingering = () -> {};

    KeyedCall(CallId id, String digest, KeyTable table, RepeatLimits limits, Timekeeper timekeeper) {
        this.id = id;
        this.digest = digest;
        this.table = table;
        this.limits = limits;
        this.timekeeper = timekeeper;
    }

    CallId id() {
        return id;
    }

    /** Whether it asks what a request with this digest does. */
    boolean asks(String other) {
        return digest.equals(other);
    }

    /** Waits for the outcome, or gets it at once. */
    void join(Call call, Reply reply) {
        var member = new Member(call, reply);
        Outcome known;
        lock.lock();
        try {
            known = outcome;
            if (known == null) {
                members.add(member);
                lingering.cancel();
            }
        } finally {
            lock.unlock();
        }
        if (known != null) {
            reply.done(known);
            return;
        }
        member.link = call.cancellation().onCancel(reason -> leave(member, reason));
        if (isOver()) {
            member.link.remove();
        }
    }

    /** Sends the call, whose client it may outlive, but not its deadline. */
    void begin(Call first, Handler next) {
        deadline = first.deadline().alarm(() -> cancellation.cancel(CancelReason.TIMED_OUT));
        next.handle(first.withCancellation(cancellation), this);
        if (isOver()) {
            deadline.cancel();
        }
    }

    @Override
    public void event(Message progressOrLog) {
        waiting().forEach(member -> member.reply.event(progressOrLog));
    }

    @Override
    public void done(Outcome ended) {
        List<Member> all;
        lock.lock();
        try {
            if (outcome != null) {
                return;
            }
            outcome = ended;
            all = List.copyOf(members);
            members.clear();
            lingering.cancel();
        } finally {
            lock.unlock();
        }
        deadline.cancel();
        table.ended(this, ended);
        for (var member : all) {
            member.link.remove();
            member.reply.done(ended);
        }
    }

    /** Lets go of the outcome; who asks for it from now on hears that the call is over. */
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

    /** Whoever withdraws the call as the last one stays, and hears how far it got. */
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
                lingering = timekeeper.schedule(limits.linger(), this::giveUp);
            }
        } finally {
            lock.unlock();
        }
        if (ends) {
            cancellation.cancel(reason);
            return;
        }
        var words = "'%s' was withdrawn: %s".formatted(member.call.request().method(), reason.text());
        member.reply.done(Outcome.failed(Failure.of(reason.code(), words).withDelivery(Delivery.UNKNOWN)));
    }

    /** Nobody came back. */
    private void giveUp() {
        if (waiting().isEmpty()) {
            cancellation.cancel(CancelReason.CLIENT_GONE);
        }
    }

    /** One who waits. Equal to itself alone. */
    private static final class Member {
        private final Call call;
        private final Reply reply;
        private volatile Cancellation.Registration link = () -> {};

        private Member(Call call, Reply reply) {
            this.call = call;
            this.reply = reply;
        }
    }
}
