package io.mcpbridge.retry.sharing;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.mcpbridge.call.CancelReason;
import io.mcpbridge.call.Cancellation;
import io.mcpbridge.call.Outcome;
import io.mcpbridge.call.Timekeeper;
import io.mcpbridge.failure.Delivery;
import io.mcpbridge.failure.ErrorCode;
import io.mcpbridge.failure.Failure;
import io.mcpbridge.message.Message;
import io.mcpbridge.spi.CallContext;
import io.mcpbridge.spi.CallStage.Next;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * One run of a call on behalf of several callers: the call of the first one, with its deadline. Each caller may leave;
 * the last one that cancels its call ends the run. A client that has disconnected may come back, so the run continues
 * without it for a grace period. Any thread may use it.
 */
public final class SharedCall {
    private final Caller first;
    private final Duration gracePeriod;
    private final Timekeeper timekeeper;
    private final Cancellation cancellation = new Cancellation();
    private final CallContext run;
    private final AtomicBoolean isDeadlineWatched = new AtomicBoolean();
    private volatile Timekeeper.Alarm deadline = () -> {};
    private final ReentrantLock lock = new ReentrantLock();

    @GuardedBy("lock")
    private List<Caller> callers = new ArrayList<>(2);

    /** Set under the lock at the end of the run. */
    private volatile @Nullable Outcome outcome;

    @GuardedBy("lock")
    private Timekeeper.Alarm graceTime = () -> {};

    /** Whether a call could join. */
    public enum JoinResult {
        JOINED,
        /** The call has the largest number of callers. */
        FULL,
        /** The run has its outcome. */
        ENDED
    }

    /**
     * A run with one caller; {@link #begin} starts it.
     *
     * @param gracePeriod how long it continues without any caller when the last one has disconnected; may be zero
     */
    public SharedCall(CallContext first, Duration gracePeriod, Timekeeper timekeeper) {
        this.first = new Caller(first);
        this.gracePeriod = gracePeriod;
        this.timekeeper = timekeeper;
        this.run = first.newAttempt(cancellation);
        this.callers.add(this.first);
    }

    /**
     * Sends the call of the first caller, with a cancellation that belongs to all.
     *
     * @param ended receives the callers that are left, in the order in which they came, and the outcome
     */
    public void begin(Next next, BiConsumer<List<CallContext>, Outcome> ended) {
        watch(first);
        run.onEvent(this::notifyOthers);
        run.onComplete(last -> ended.accept(end(last), last));
        next.handle(run);
    }

    /** Adds a caller, if that is possible. */
    public JoinResult join(CallContext call, int maxCallers) {
        var caller = new Caller(call);
        lock.lock();
        try {
            if (outcome != null) {
                return JoinResult.ENDED;
            }
            if (callers.size() >= maxCallers) {
                return JoinResult.FULL;
            }
            callers.add(caller);
            graceTime.cancel();
        } finally {
            lock.unlock();
        }
        watchDeadline();
        watch(caller);
        return JoinResult.JOINED;
    }

    /** Whether it was cancelled for all callers. */
    public boolean isCancelled() {
        return cancellation.isCancelled();
    }

    /** The outcome of the run; empty before its end. */
    public Optional<Outcome> outcome() {
        return Optional.ofNullable(outcome);
    }

    /** Replaces the outcome of an ended run. */
    public void replaceOutcome(Outcome other) {
        outcome = other;
    }

    private void watch(Caller caller) {
        caller.link = caller.call.cancellation().onCancel(reason -> leave(caller, reason));
        if (outcome().isPresent()) {
            caller.link.remove();
        }
    }

    /** Watches the deadline of the run, once. The engine watches it only while the first caller is the only one. */
    private void watchDeadline() {
        if (isDeadlineWatched.compareAndSet(false, true)) {
            deadline = first.call.deadline().alarm(this::expire);
            if (outcome().isPresent()) {
                deadline.cancel();
            }
        }
    }

    private void expire() {
        cancellation.cancel(CancelReason.TIMED_OUT);
        var words = "'%s' timed out after %d ms"
                .formatted(run.request().method(), first.call.deadline().span().toMillis());
        // Has no effect if the cancellation has ended the run, as it should.
        run.complete(
                Outcome.failed(Failure.of(ErrorCode.PROVIDER_TIMEOUT, words).withDelivery(Delivery.UNKNOWN)));
    }

    /** The first caller receives what belongs to the run of its own call. */
    private void notifyOthers(Message progressOrLog) {
        for (var caller : callers()) {
            if (caller != first) {
                caller.call.event(progressOrLog);
            }
        }
    }

    private List<Caller> callers() {
        lock.lock();
        try {
            return List.copyOf(callers);
        } finally {
            lock.unlock();
        }
    }

    /** Returns the callers that wait for the outcome. */
    private List<CallContext> end(Outcome ended) {
        List<Caller> waiting;
        lock.lock();
        try {
            outcome = ended;
            waiting = callers;
            callers = List.of();
            graceTime.cancel();
        } finally {
            lock.unlock();
        }
        deadline.cancel();
        waiting.forEach(caller -> caller.link.remove());
        return waiting.stream().map(caller -> caller.call).toList();
    }

    /** Removes a caller. The last one that cancels its call stays, to receive the delivery of the run. */
    private void leave(Caller caller, CancelReason reason) {
        boolean isLast;
        boolean stays;
        lock.lock();
        try {
            if (!callers.contains(caller)) {
                return;
            }
            isLast = callers.size() == 1;
            stays = isLast && (reason != CancelReason.CLIENT_GONE || gracePeriod.isZero());
            if (!stays) {
                callers.remove(caller);
            }
            if (isLast && !stays) {
                graceTime = timekeeper.schedule(gracePeriod, this::giveUp);
            }
        } finally {
            lock.unlock();
        }
        if (stays) {
            cancellation.cancel(reason);
            return;
        }
        watchDeadline();
        var words = "'%s' was withdrawn: %s".formatted(caller.call.request().method(), reason.text());
        caller.call.complete(Outcome.failed(Failure.of(reason.code(), words).withDelivery(Delivery.UNKNOWN)));
    }

    /** Ends the run, since no client reconnected. */
    private void giveUp() {
        if (callers().isEmpty()) {
            cancellation.cancel(CancelReason.CLIENT_GONE);
        }
    }

    /** One caller; equal to itself alone. */
    private static final class Caller {
        private final CallContext call;
        private volatile Cancellation.Registration link = () -> {};

        private Caller(CallContext call) {
            this.call = call;
        }
    }
}
