package io.mcpbridge.retry.cache;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.mcpbridge.call.Call;
import io.mcpbridge.call.CancelReason;
import io.mcpbridge.call.Cancellation;
import io.mcpbridge.call.Handler;
import io.mcpbridge.call.Outcome;
import io.mcpbridge.call.Reply;
import io.mcpbridge.failure.Delivery;
import io.mcpbridge.failure.ErrorCode;
import io.mcpbridge.failure.Failure;
import io.mcpbridge.message.Message;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;

/**
 * One call on behalf of several that ask the same. It is withdrawn when the last of them is; until then each may leave.
 * Any thread.
 */
final class SharedCall implements Reply {
    private final Handler next;
    private final int most;
    private final Runnable over;
    private final Cancellation cancellation = new Cancellation();
    private final ReentrantLock lock = new ReentrantLock();

    @GuardedBy("lock")
    private final List<Member> members = new ArrayList<>(2);

    @GuardedBy("lock")
    private boolean isOver;

    /** How it went for a call that wanted to join. */
    enum Joining {
        JOINED,
        FULL,
        OVER
    }

    /**
     * Makes one without members.
     *
     * @param most how many may join
     * @param over hears that nobody can join any more
     */
    SharedCall(Handler next, int most, Runnable over) {
        this.next = next;
        this.most = most;
        this.over = over;
    }

    Joining join(Call call, Reply reply) {
        var member = new Member(call, reply);
        lock.lock();
        try {
            if (isOver) {
                return Joining.OVER;
            }
            if (members.size() >= most) {
                return Joining.FULL;
            }
            members.add(member);
        } finally {
            lock.unlock();
        }
        member.link = call.cancellation().onCancel(reason -> leave(member, reason));
        return Joining.JOINED;
    }

    /** Sends the first call, with a cancellation that is everybody's. */
    void begin(Call first) {
        next.handle(first.withCancellation(cancellation), this);
    }

    @Override
    public void event(Message progressOrLog) {
        members().forEach(member -> member.reply.event(progressOrLog));
    }

    @Override
    public void done(Outcome outcome) {
        var all = end();
        for (int i = 0; i < all.size(); i++) {
            var member = all.get(i);
            member.link.remove();
            if (i == 0 || isForAll(outcome)) {
                member.reply.done(outcome);
            } else {
                // What it was told is the first one's business; this one only reads, so it may ask by itself.
                next.handle(member.call, member.reply);
            }
        }
    }

    /** A server that asks back, and a deadline or a client that is somebody else's, end nobody else's call. */
    private static boolean isForAll(Outcome outcome) {
        if (outcome instanceof Outcome.Answered answered) {
            return answered.response().isError() || Sharing.isComplete(answered.response());
        }
        var code = ((Outcome.Failed) outcome).failure().code();
        return code != ErrorCode.PROVIDER_TIMEOUT && code != ErrorCode.CANCELLED;
    }

    private List<Member> members() {
        lock.lock();
        try {
            return List.copyOf(members);
        } finally {
            lock.unlock();
        }
    }

    /** Lets nobody join any more, and takes the members out. */
    private List<Member> end() {
        over.run();
        lock.lock();
        try {
            isOver = true;
            var all = List.copyOf(members);
            members.clear();
            return all;
        } finally {
            lock.unlock();
        }
    }

    /** The last one stays and hears how far the call got. */
    private void leave(Member member, CancelReason reason) {
        boolean isLast;
        lock.lock();
        try {
            if (!members.contains(member)) {
                return;
            }
            isLast = members.size() == 1;
            isOver |= isLast;
            if (!isLast) {
                members.remove(member);
            }
        } finally {
            lock.unlock();
        }
        if (isLast) {
            over.run();
            cancellation.cancel(reason);
            return;
        }
        var words = "'%s' was withdrawn: %s".formatted(member.call.request().method(), reason.text());
        member.reply.done(Outcome.failed(Failure.of(reason.code(), words).withDelivery(Delivery.UNKNOWN)));
    }

    /** One of those for whom the call is made. Equal to itself alone. */
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
