package io.mcpbridge.retry.cache;

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
import io.mcpbridge.retry.cache.Members.Joining;
import io.mcpbridge.retry.cache.Members.Member;
import java.util.Collections;
import java.util.Comparator;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * One call on behalf of several that ask the same: that of the first of them, with its deadline. It is withdrawn when the
 * last of them is, or when that deadline comes; until then each may leave. Any thread.
 */
final class SharedCall implements Reply {
    private static final Timekeeper.Alarm UNSET = () -> {};

    private final Group group;
    private final Handler next;
    private final Member first;
    private final Members members;
    private final Cancellation cancellation = new Cancellation();

    /** Whether somebody has joined, so that the deadline of the first is watched here. */
    private final AtomicBoolean isWatched = new AtomicBoolean();

    private volatile Timekeeper.Alarm alarm = UNSET;

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
        this.first = new Member(call, reply);
        this.members = new Members(first, most);
    }

    Joining join(Call call, Reply reply) {
        var member = new Member(call, reply);
        var joining = members.join(member);
        if (joining == Joining.JOINED) {
            if (isWatched.compareAndSet(false, true)) {
                watchDeadline();
            }
            watch(member);
        }
        return joining;
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
        members.now().forEach(member -> guarded(member, () -> member.reply.event(progressOrLog)));
    }

    @Override
    public void done(Outcome outcome) {
        // Nobody can join any more.
        var all = members.takeAll();
        group.over(this);
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
        if (members.isOver()) {
            alarm.cancel();
        }
    }

    private void expire() {
        members.close();
        group.over(this);
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

    /** The last one stays and hears how far the call got. */
    private void leave(Member member, CancelReason reason) {
        switch (members.leave(member)) {
            case GONE -> {}
            case LAST -> {
                group.over(this);
                cancellation.cancel(reason);
            }
            case LEFT -> withdrawn(member, reason);
        }
    }

    private static void withdrawn(Member member, CancelReason reason) {
        var words = "'%s' was withdrawn: %s".formatted(member.call.request().method(), reason.text());
        member.reply.done(Outcome.failed(Failure.of(reason.code(), words).withDelivery(Delivery.UNKNOWN)));
    }
}
