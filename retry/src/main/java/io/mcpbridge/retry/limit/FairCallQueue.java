package io.mcpbridge.retry.limit;

import io.mcpbridge.call.CancelReason;
import io.mcpbridge.call.Cancellation;
import io.mcpbridge.call.Outcome;
import io.mcpbridge.call.Principal;
import io.mcpbridge.failure.ErrorCode;
import io.mcpbridge.failure.Failure;
import io.mcpbridge.spi.CallContext;
import io.mcpbridge.spi.CallStage.Next;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicIntegerFieldUpdater;
import java.util.function.Predicate;

/**
 * A bounded queue of waiting calls: first in, first out for each user, and round robin among users, so that a user with
 * thousands of calls does not delay the others. Guarded by the lock of the stage that owns it.
 */
final class FairCallQueue {
    private final Map<Principal, ArrayDeque<QueuedCall>> byUser = new LinkedHashMap<>();
    private int size;

    int size() {
        return size;
    }

    /**
     * Adds a call, unless {@code most} calls wait and none of them has to leave for it.
     *
     * @param evicted receives the call that has to leave
     * @return false if there is no room
     */
    boolean add(QueuedCall call, int most, List<QueuedCall> evicted) {
        if (size >= most && !evictFor(call.user(), evicted)) {
            return false;
        }
        byUser.computeIfAbsent(call.user(), absent -> new ArrayDeque<>()).add(call);
        size++;
        return true;
    }

    /** How many calls of one user wait. */
    int length(Principal user) {
        var own = byUser.get(user);
        return own == null ? 0 : own.size();
    }

    /**
     * Removes the newest call of the user with the most waiting calls, to make room for a call of {@code arriving};
     * false if that user would have the most itself.
     */
    private boolean evictFor(Principal arriving, List<QueuedCall> evicted) {
        var longest = byUser.values().stream()
                .max(Comparator.comparingInt(ArrayDeque::size))
                .filter(most -> most.size() > length(arriving) + 1);
        longest.ifPresent(most -> {
            size--;
            evicted.add(most.removeLast());
        });
        return longest.isPresent();
    }

    /** Removes a call that was cancelled; does nothing if it does not wait. */
    void remove(QueuedCall call) {
        var own = byUser.get(call.user());
        if (own != null && own.remove(call)) {
            size--;
            if (own.isEmpty()) {
                byUser.remove(call.user());
            }
        }
    }

    /** Removes and returns the next call of a user who may begin one; that user comes last from now on. */
    Optional<QueuedCall> poll(Predicate<Principal> mayBegin) {
        for (var entry : byUser.entrySet()) {
            if (mayBegin.test(entry.getKey())) {
                return Optional.of(poll(entry.getKey(), entry.getValue()));
            }
        }
        return Optional.empty();
    }

    Set<Principal> users() {
        return byUser.keySet();
    }

    private QueuedCall poll(Principal user, ArrayDeque<QueuedCall> own) {
        var call = own.remove();
        size--;
        byUser.remove(user);
        if (!own.isEmpty()) {
            byUser.put(user, own);
        }
        return call;
    }

    /** A call that waits. It leaves the queue once: to begin, or to be rejected or cancelled. Any thread may use it. */
    static final class QueuedCall {
        /** A field updater instead of an atomic object for each call, since hardly any call waits. */
        private static final AtomicIntegerFieldUpdater<QueuedCall> TAKEN =
                AtomicIntegerFieldUpdater.newUpdater(QueuedCall.class, "taken");

        private final CallContext call;
        private final Next next;
        private volatile int taken;
        private volatile Cancellation.Registration registration = () -> {};

        QueuedCall(CallContext call, Next next) {
            this.call = call;
            this.next = next;
        }

        Principal user() {
            return call.caller().principal();
        }

        Duration remaining() {
            return call.deadline().remaining();
        }

        CallContext call() {
            return call;
        }

        /** Ends the call when it is cancelled while it waits; {@code onCancel} runs before. */
        void watchCancellation(String server, Runnable onCancel) {
            registration = call.cancellation().onCancel(reason -> {
                if (TAKEN.compareAndSet(this, 0, 1)) {
                    onCancel.run();
                    call.complete(Outcome.failed(cancelled(server, reason)));
                }
            });
            if (taken != 0) {
                registration.remove();
            }
        }

        /** Takes the call out of waiting; false if another thread did before. */
        boolean take() {
            if (!TAKEN.compareAndSet(this, 0, 1)) {
                return false;
            }
            registration.remove();
            return true;
        }

        /** Ends the call with {@code why}, unless another thread has taken it. */
        void reject(Failure why) {
            if (take()) {
                call.complete(Outcome.failed(why));
            }
        }

        /** Passes the call on; the caller has taken it. */
        void begin() {
            next.handle(call);
        }

        private Failure cancelled(String server, CancelReason reason) {
            var message = "'%s' was cancelled while it waited for a limit of server '%s': %s"
                    .formatted(call.request().method(), server, reason.text());
            // The time-out passed in our queue, so it says nothing about the server.
            var code = reason.code() == ErrorCode.PROVIDER_TIMEOUT ? ErrorCode.OVERLOADED : reason.code();
            return Failure.of(code, message).withServer(server);
        }
    }
}
