package io.mcpbridge.retry.cache;

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
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;

/**
 * One call on behalf of several that ask the same: that of the first of them, with its deadline. It is withdrawn when the
 * last of them is, or when that deadline comes; until then each may leave. Any thread.
 */
final class SharedCall implements Reply {
    private static final Timekeeper.Alarm UNSET = () -> {};

    private final Group group;
    private final Handler next;
    private final int most;
    private final Member first;
    private final Cancellation cancellation = new Cancellation();
    private final ReentrantLock lock = new ReentrantLock();
    private volatile Timekeeper.Alarm alarm = UNSET;

    @GuardedBy("lock")
    private List<Member> members = new ArrayList<>(2);

    @GuardedBy("lock")
    private boolean isOver;

    /** Whether somebody has joined, so that the deadline of the first is watched here. */
    @GuardedBy("lock")
    private boolean isWatched;

    /** How it went for a call that wanted to join. */
    enum Joining {
        JOINED,
        FULL,
        OVER
    }

    /** Where calls find the others that ask the same. */
    interface Group {

        /** Nobody can join {@code call} any more. */
        void over(SharedCall call);

        /** This one has no outcome yet: it joins whoever asks the same by now, or is the first to. */
        void again(Call call, Reply reply);

        /** Somebody threw {@code bug} on this call. */
        void defect(Call call, RuntimeException bug);
    }

    /**
     * Makes one with one member, for which {@link #begin} sends it.
     *
     * @param most how many may share it
     */
    SharedCall(Group group, Handler next, int most, Call call, Reply reply) {
        this.group = group;
        this.next = next;
        this.most = most;
        this.first = new Member(call, reply);
        this.members.add(first);
    }

    Joining join(Call call, Reply reply) {
        var member = new Member(call, reply);
        boolean isSecond;
        lock.lock();
        try {
            if (isOver) {
                return Joining.OVER;
            }
            if (members.size() >= most) {
                return Joining.FULL;
            }
            members.add(member);
            isSecond = !isWatched;
            isWatched = true;
        } finally {
            lock.unlock();
        }
        if (isSecond) {
            watchDeadline();
        }
        watch(member);
        return Joining.JOINED;
    }

    /** Sends the first call, with a cancellation that is everybody's. */
    void begin() {
        watch(first);
        try {
            next.handle(first.call.withCancellation(cancellation), this);
        } catch (RuntimeException bug) {
            group.defect(first.call, bug);
            done(Outcome.failed(defect(bug)));
        }
    }

    @Override
    public void event(Message progressOrLog) {
        members().forEach(member -> guarded(member, () -> member.reply.event(progressOrLog)));
    }

    @Override
    public void done(Outcome outcome) {
        var all = end();
        alarm.cancel();
        if (all.isEmpty()) {
            return;
        }
        var heir = all.get(0);
        if (outcome instanceof Outcome.Failed) {
            // Whoever of them goes on first leads the others, and should have the time to.
            all.stream()
                    .max(Comparator.comparing(member -> member.call.deadline().remaining()))
                    .ifPresent(latest -> Collections.swap(all, 0, all.indexOf(latest)));
        }
        all.forEach(member -> guarded(member, () -> conclude(member, member == heir, outcome)));
    }

    private void watch(Member member) {
        member.link = member.call.cancellation().onCancel(reason -> leave(member, reason));
    }

    /** Where the first is alone, whoever made the call watches its deadline; but it may leave long before the others. */
    private void watchDeadline() {
        alarm = first.call.deadline().alarm(this::expire);
        if (isOver()) {
            alarm.cancel();
        }
    }

    private void expire() {
        stopJoining();
        cancellation.cancel(CancelReason.TIMED_OUT);
        var call = first.call;
        var words = "'%s' timed out after %d ms"
                .formatted(call.request().method(), call.deadline().span().toMillis());
        // Without effect whenever the holder has ended the call, as it should have.
        done(Outcome.failed(Failure.of(ErrorCode.PROVIDER_TIMEOUT, words).withDelivery(Delivery.UNKNOWN)));
    }

    /** A deadline, a client and a question that are somebody else's end nobody else's call, which only reads. */
    private void conclude(Member member, boolean isHeir, Outcome outcome) {
        member.link.remove();
        if (outcome instanceof Outcome.Answered answered) {
            var isForAll = answered.response().isError() || Sharing.isComplete(answered.response());
            if (isForAll || isHeir) {
                member.reply.done(outcome);
            } else {
                // Each has to be asked for itself, so nothing is left to share.
                goOn(member, () -> next.handle(member.call, member.reply));
            }
            return;
        }
        var code = ((Outcome.Failed) outcome).failure().code();
        var isForAll = code != ErrorCode.PROVIDER_TIMEOUT && code != ErrorCode.CANCELLED;
        if (isForAll || member == first || member.isLate()) {
            member.reply.done(outcome);
        } else {
            goOn(member, () -> group.again(member.call, member.reply));
        }
    }

    private void goOn(Member member, Runnable how) {
        try {
            how.run();
        } catch (RuntimeException bug) {
            group.defect(member.call, bug);
            member.reply.done(Outcome.failed(defect(bug)));
        }
    }

    /** What goes wrong for one member must not cost the others their outcome. */
    private void guarded(Member member, Runnable action) {
        try {
            action.run();
        } catch (RuntimeException bug) {
            group.defect(member.call, bug);
        }
    }

    private static Failure defect(RuntimeException bug) {
        return Failure.of(ErrorCode.INTERNAL_ERROR, "the bridge failed on this call: " + bug)
                .withCause(bug);
    }

    private List<Member> members() {
        lock.lock();
        try {
            return List.copyOf(members);
        } finally {
            lock.unlock();
        }
    }

    private boolean isOver() {
        lock.lock();
        try {
            return isOver;
        } finally {
            lock.unlock();
        }
    }

    private void stopJoining() {
        lock.lock();
        try {
            isOver = true;
        } finally {
            lock.unlock();
        }
        group.over(this);
    }

    /** Lets nobody join any more, and takes the members out. */
    private List<Member> end() {
        List<Member> all;
        lock.lock();
        try {
            isOver = true;
            all = members;
            members = List.of();
        } finally {
            lock.unlock();
        }
        group.over(this);
        return all;
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
            group.over(this);
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

        /** Whether it would wait for nothing more. */
        private boolean isLate() {
            return call.cancellation().isCancelled() || call.deadline().isExpired();
        }
    }
}
