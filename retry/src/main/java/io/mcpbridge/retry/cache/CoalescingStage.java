package io.mcpbridge.retry.cache;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.mcpbridge.call.Call;
import io.mcpbridge.call.Caller;
import io.mcpbridge.call.CancelReason;
import io.mcpbridge.call.Cancellation;
import io.mcpbridge.call.Outcome;
import io.mcpbridge.call.Timekeeper;
import io.mcpbridge.failure.Delivery;
import io.mcpbridge.failure.ErrorCode;
import io.mcpbridge.failure.Failure;
import io.mcpbridge.message.Era;
import io.mcpbridge.message.Message;
import io.mcpbridge.message.Methods;
import io.mcpbridge.spi.CallContext;
import io.mcpbridge.spi.CallStage;
import io.mcpbridge.spi.CallStage.Next;
import io.mcpbridge.spi.CallStage.Place;
import io.mcpbridge.spi.CallStageProvider;
import io.mcpbridge.spi.Reading;
import io.mcpbridge.spi.StageContext;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Combines concurrent calls of one user with equal read-only requests into one call to the server. Other calls pass
 * unchanged. Any thread may use it.
 */
public final class CoalescingStage implements CallStage {
    private final CoalescingSettings settings;
    private final StageContext context;
    private final Map<CacheKey, CoalescedCall> open = new ConcurrentHashMap<>();
    private final LongAdder joined = new LongAdder();

    public CoalescingStage(CoalescingSettings settings, StageContext context) {
        this.settings = settings;
        this.context = context;
    }

    @Override
    public void handle(CallContext call, Next next) {
        if (!onlyReads(call) || !CacheKey.isShareable(call.request()) || mayReceiveRequests(call.caller())) {
            next.handle(call);
            return;
        }
        new EqualCalls(CacheKey.withEvents(call, context.digest(call)), next).handleAgain(call);
    }

    @Override
    public List<Reading> readings() {
        return List.of(
                new Reading(
                        "coalescing.under-way", open.size(), "%d calls that others may join".formatted(open.size())),
                new Reading(
                        "coalescing.joined", joined.sum(), "%d calls that joined another one".formatted(joined.sum())));
    }

    /**
     * Whether the server may send this client requests during the call, as in the legacy era: then the answer of one
     * person decides the result, which is for that person alone.
     */
    private boolean mayReceiveRequests(Caller caller) {
        return caller.canBeAsked()
                && !caller.capabilities().equals("{}")
                && context.era().filter(Era.MODERN::equals).isEmpty();
    }

    private boolean onlyReads(Call call) {
        var method = call.request().method();
        return method.equals(Methods.TOOLS_CALL)
                ? context.hints(call).readOnly()
                : Methods.onlyReads(method) && !method.equals(Methods.PING);
    }

    /** The calls with one key. */
    private final class EqualCalls {
        private final CacheKey key;
        private final Next next;

        private EqualCalls(CacheKey key, Next next) {
            this.key = key;
            this.next = next;
        }

        /** No other caller can join {@code call}. */
        private void closed(CoalescedCall call) {
            // Only if it is still this one: a successor may be open already.
            open.remove(key, call);
        }

        /** Handles a call that has no outcome yet once more: it joins an equal one or becomes the first. */
        private void handleAgain(CallContext call) {
            while (true) {
                var fresh = new CoalescedCall(this, next, settings.maxCalls(), call);
                var there = open.putIfAbsent(key, fresh);
                if (there == null) {
                    fresh.begin();
                    return;
                }
                switch (there.join(call)) {
                    case JOINED -> {
                        joined.increment();
                        return;
                    }
                    case FULL -> {
                        next.handle(call);
                        return;
                    }
                    case CLOSED -> open.remove(key, there);
                }
            }
        }
    }

    /**
     * One call to the server on behalf of several callers with equal requests: the call of the first one, with its deadline. It is
     * cancelled when the last caller cancels, or at that deadline; before that each caller may leave. Any thread may use it.
     */
    private static final class CoalescedCall {
        private static final Timekeeper.Alarm UNSET = () -> {};

        private final EqualCalls group;
        private final Next next;
        private final int maxCallers;
        private final CoalescedCaller first;
        private final Cancellation cancellation = new Cancellation();
        private final CallContext shared;

        private final ReentrantLock lock = new ReentrantLock();

        @GuardedBy("lock")
        private List<CoalescedCaller> callers = new ArrayList<>(2);

        /** Whether no other caller may join. */
        @GuardedBy("lock")
        private boolean isClosed;

        /** Whether a second caller has joined, so that this object watches the deadline of the first. */
        @GuardedBy("lock")
        private boolean isJoined;

        private volatile Timekeeper.Alarm alarm = UNSET;

        /**
         * A call with one caller; {@link #begin} sends it.
         *
         * @param maxCallers how many callers may share it
         */
        CoalescedCall(EqualCalls group, Next next, int maxCallers, CallContext call) {
            this.group = group;
            this.next = next;
            this.maxCallers = maxCallers;
            this.first = new CoalescedCaller(call);
            this.callers.add(first);
            this.shared = call.newAttempt(cancellation);
        }

        /** Adds a caller, if that is possible. */
        JoinResult join(CallContext call) {
            var caller = new CoalescedCaller(call);
            var result = add(caller);
            if (result == JoinResult.JOINED) {
                if (isFirstToJoin()) {
                    shared.onEvent(this::tellOthers);
                    watchDeadline();
                }
                watchCancellation(caller);
            }
            return result;
        }

        /** Sends the call of the first caller, with a cancellation that belongs to all. */
        void begin() {
            watchCancellation(first);
            shared.onComplete(this::ended);
            next.handle(shared);
        }

        /** The first caller receives what belongs to the attempt of its own call. */
        private void tellOthers(Message progressOrLog) {
            for (var caller : snapshot()) {
                if (caller != first) {
                    caller.call.event(progressOrLog);
                }
            }
        }

        private void ended(Outcome outcome) {
            var all = closeAndTakeAll();
            group.closed(this);
            alarm.cancel();
            if (all.isEmpty()) {
                return;
            }
            var heir = all.get(0);
            if (outcome instanceof Outcome.Failed) {
                // The first one that repeats its call leads the others, so it should have the most time left.
                all.stream()
                        .max(Comparator.comparing(
                                caller -> caller.call.deadline().remaining()))
                        .ifPresent(latest -> Collections.swap(all, 0, all.indexOf(latest)));
            }
            all.forEach(caller -> conclude(caller, caller == heir, outcome));
        }

        private JoinResult add(CoalescedCaller caller) {
            lock.lock();
            try {
                if (isClosed) {
                    return JoinResult.CLOSED;
                }
                if (callers.size() >= maxCallers) {
                    return JoinResult.FULL;
                }
                callers.add(caller);
                return JoinResult.JOINED;
            } finally {
                lock.unlock();
            }
        }

        /** From then on there are others than the first caller, also when all of them have left. */
        private boolean isFirstToJoin() {
            lock.lock();
            try {
                var isFirst = !isJoined;
                isJoined = true;
                return isFirst;
            } finally {
                lock.unlock();
            }
        }

        private List<CoalescedCaller> snapshot() {
            lock.lock();
            try {
                return List.copyOf(callers);
            } finally {
                lock.unlock();
            }
        }

        private List<CoalescedCaller> closeAndTakeAll() {
            lock.lock();
            try {
                isClosed = true;
                var taken = callers;
                callers = List.of();
                return taken;
            } finally {
                lock.unlock();
            }
        }

        private void watchCancellation(CoalescedCaller caller) {
            caller.registration = caller.call.cancellation().onCancel(reason -> leave(caller, reason));
        }

        /** A single caller's deadline is watched by the engine; with several, the first may leave long before the others. */
        private void watchDeadline() {
            alarm = first.call.deadline().alarm(this::expire);
            lock.lock();
            try {
                if (isClosed) {
                    alarm.cancel();
                }
            } finally {
                lock.unlock();
            }
        }

        private void expire() {
            lock.lock();
            try {
                isClosed = true;
            } finally {
                lock.unlock();
            }
            group.closed(this);
            cancellation.cancel(CancelReason.TIMED_OUT);
            var call = first.call;
            var message = "'%s' timed out after %d ms"
                    .formatted(call.request().method(), call.deadline().span().toMillis());
            // Has no effect if the cancellation has ended the call, as it should.
            shared.complete(Outcome.failed(
                    Failure.of(ErrorCode.PROVIDER_TIMEOUT, message).withDelivery(Delivery.UNKNOWN)));
        }

        /** Ends or repeats the call of one caller: a deadline, cancellation or question of another caller does not end it. */
        private void conclude(CoalescedCaller caller, boolean isHeir, Outcome outcome) {
            caller.registration.remove();
            if (outcome instanceof Outcome.Answered answered) {
                var isForAll = answered.response().isError() || CacheKey.isShareable(answered.response());
                if (isForAll || isHeir) {
                    caller.call.complete(outcome);
                } else {
                    // The server asks the client something, so each caller needs a call of its own.
                    next.handle(caller.call);
                }
                return;
            }
            var code = ((Outcome.Failed) outcome).failure().code();
            var isForAll = code != ErrorCode.PROVIDER_TIMEOUT && code != ErrorCode.CANCELLED;
            if (isForAll || caller == first || caller.isExpired()) {
                caller.call.complete(outcome);
            } else {
                group.handleAgain(caller.call);
            }
        }

        private void leave(CoalescedCaller caller, CancelReason reason) {
            boolean isLast;
            lock.lock();
            try {
                if (!callers.contains(caller)) {
                    return;
                }
                // The last caller stays, to receive how far the call got.
                isLast = callers.size() == 1;
                isClosed |= isLast;
                if (!isLast) {
                    callers.remove(caller);
                }
            } finally {
                lock.unlock();
            }
            if (isLast) {
                group.closed(this);
                cancellation.cancel(reason);
            } else {
                var message =
                        "'%s' was cancelled: %s".formatted(caller.call.request().method(), reason.text());
                caller.call.complete(
                        Outcome.failed(Failure.of(reason.code(), message).withDelivery(Delivery.UNKNOWN)));
            }
        }

        enum JoinResult {
            JOINED,
            FULL,
            CLOSED
        }

        /** One caller; equal to itself alone. */
        private static final class CoalescedCaller {
            private final CallContext call;
            private volatile Cancellation.Registration registration = () -> {};

            private CoalescedCaller(CallContext call) {
                this.call = call;
            }

            private boolean isExpired() {
                return call.cancellation().isCancelled() || call.deadline().isExpired();
            }
        }
    }

    /** Provides {@code coalescing}, for servers whose configuration has such a section. */
    public static final class CoalescingProvider implements CallStageProvider {

        @Override
        public Id id() {
            return new Id("coalescing", SPI_VERSION);
        }

        @Override
        public Place place() {
            return Place.COALESCING;
        }

        @Override
        public Optional<CallStage> create(StageContext context) {
            return context.isConfigured()
                    ? Optional.of(new CoalescingStage(CoalescingSettings.from(context.settings()), context))
                    : Optional.empty();
        }
    }
}
