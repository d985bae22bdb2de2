package io.mcpbridge.retry.runonce;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.mcpbridge.call.Call;
import io.mcpbridge.call.Outcome;
import io.mcpbridge.call.Principal;
import io.mcpbridge.call.Timekeeper;
import io.mcpbridge.failure.Delivery;
import io.mcpbridge.failure.ErrorCode;
import io.mcpbridge.failure.Failure;
import io.mcpbridge.message.MessageField;
import io.mcpbridge.retry.sharing.SharedCall;
import io.mcpbridge.spi.GaugeReading;
import java.time.Duration;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;

/**
 * A bounded table of calls with an idempotency key: those in flight, and recently ended ones with their outcomes. Any
 * thread.
 */
final class KeyedCalls {
    /** The bytes that a failure counts in addition to its message. */
    private static final int FAILURE_BYTES = 512;

    private final RunOnceSettings settings;
    private final Timekeeper timekeeper;
    private final ReentrantLock lock = new ReentrantLock();

    @GuardedBy("lock")
    private final Map<Id, KeyedCall> calls = new HashMap<>();

    @GuardedBy("lock")
    private final CompletedCalls all = new CompletedCalls();

    @GuardedBy("lock")
    private final Map<Principal, CompletedCalls> byPrincipal = new HashMap<>();

    @GuardedBy("lock")
    private boolean isExpiring;

    KeyedCalls(RunOnceSettings settings, Timekeeper timekeeper) {
        this.settings = settings;
        this.timekeeper = timekeeper;
    }

    /**
     * Returns the known call with the id of {@code fresh}, or else adds {@code fresh}; empty if its principal has too
     * many in flight.
     */
    Optional<KeyedCall> enter(KeyedCall fresh) {
        lock.lock();
        try {
            var known = calls.get(fresh.id());
            if (known != null) {
                return Optional.of(known);
            }
            var calledBy = callsOf(fresh);
            if (calledBy.running >= settings.running()) {
                return Optional.empty();
            }
            calledBy.running++;
            calls.put(fresh.id(), fresh);
            return Optional.of(fresh);
        } finally {
            lock.unlock();
        }
    }

    /** Keeps the outcome of a call, unless it never ran, so that it may still run. */
    void ended(KeyedCall call, Outcome outcome) {
        var bytes = size(outcome);
        var isTooLarge = bytes > settings.largest();
        lock.lock();
        try {
            var calledBy = callsOf(call);
            calledBy.running--;
            if (didNotRun(outcome)) {
                calls.remove(call.id());
                tidy(call.id().principal(), calledBy);
                return;
            }
            if (isTooLarge) {
                call.forgetOutcome();
            }
            var kept = new Kept(isTooLarge ? 0 : bytes, timekeeper.nanoTime());
            all.add(call, kept);
            calledBy.add(call, kept);
            makeRoom(calledBy, settings.perPrincipal());
            makeRoom(all, settings.all());
            expireLater();
        } finally {
            lock.unlock();
        }
    }

    /** Returns the number of known calls and the bytes of the kept outcomes. */
    List<GaugeReading> readings() {
        lock.lock();
        try {
            return List.of(
                    new GaugeReading("repeats.calls", calls.size(), calls.size() + " calls with a key that are known"),
                    new GaugeReading(
                            "repeats.bytes",
                            all.bytes(),
                            "%d of at most %d"
                                    .formatted(all.bytes(), settings.all().bytes())));
        } finally {
            lock.unlock();
        }
    }

    @GuardedBy("lock")
    private void makeRoom(CompletedCalls calledBy, RunOnceSettings.Share share) {
        while (calledBy.size() > share.calls()) {
            drop(calledBy.oldest());
        }
        while (calledBy.bytes() > share.bytes()) {
            var full = calledBy.oldestOutcome();
            full.forgetOutcome();
            all.empty(full);
            callsOf(full).empty(full);
        }
    }

    @GuardedBy("lock")
    private void drop(KeyedCall call) {
        calls.remove(call.id());
        all.remove(call);
        var calledBy = callsOf(call);
        calledBy.remove(call);
        tidy(call.id().principal(), calledBy);
    }

    @GuardedBy("lock")
    private CompletedCalls callsOf(KeyedCall call) {
        return byPrincipal.computeIfAbsent(call.id().principal(), absent -> new CompletedCalls());
    }

    @GuardedBy("lock")
    private void tidy(Principal principal, CompletedCalls calledBy) {
        if (calledBy.running == 0 && calledBy.size() == 0) {
            byPrincipal.remove(principal);
        }
    }

    @GuardedBy("lock")
    private void expireLater() {
        if (isExpiring || all.size() == 0) {
            return;
        }
        isExpiring = true;
        var age = timekeeper.nanoTime() - all.endOf(all.oldest());
        var rest = Math.max(1, settings.expiry().toNanos() - age);
        timekeeper.schedule(Duration.ofNanos(rest), this::expire);
    }

    private void expire() {
        lock.lock();
        try {
            isExpiring = false;
            var now = timekeeper.nanoTime();
            while (all.size() > 0
                    && now - all.endOf(all.oldest()) >= settings.expiry().toNanos()) {
                drop(all.oldest());
            }
            expireLater();
        } finally {
            lock.unlock();
        }
    }

    private static boolean didNotRun(Outcome outcome) {
        if (outcome instanceof Outcome.Failed failed) {
            var delivery = failed.failure().delivery();
            return delivery == Delivery.NOT_SENT || delivery == Delivery.REJECTED;
        }
        return false;
    }

    private static int size(Outcome outcome) {
        return outcome instanceof Outcome.Answered answered
                ? answered.response().length()
                : ((Outcome.Failed) outcome).failure().message().length() + FAILURE_BYTES;
    }

    /**
     * The ended calls, in the order of their ends, and the size of their outcomes. Guarded by the lock of the table.
     */
    private static final class CompletedCalls {

        private final Map<KeyedCall, Kept> ended = new LinkedHashMap<>();
        private final Set<KeyedCall> withOutcome = new LinkedHashSet<>();
        private long bytes;

        /** The number of calls in flight, which are not in this list. */
        int running;

        void add(KeyedCall call, Kept kept) {
            ended.put(call, kept);
            if (kept.bytes() > 0) {
                withOutcome.add(call);
                bytes += kept.bytes();
            }
        }

        /** Drops the outcome, and keeps the fact that the call has run. */
        void empty(KeyedCall call) {
            var kept = ended.get(call);
            if (kept != null && withOutcome.remove(call)) {
                bytes -= kept.bytes();
            }
        }

        void remove(KeyedCall call) {
            empty(call);
            ended.remove(call);
        }

        int size() {
            return ended.size();
        }

        long bytes() {
            return bytes;
        }

        KeyedCall oldest() {
            return ended.keySet().iterator().next();
        }

        KeyedCall oldestOutcome() {
            return withOutcome.iterator().next();
        }

        long endOf(KeyedCall call) {
            return Objects.requireNonNull(ended.get(call), "a call that is not here")
                    .endedAt();
        }
    }

    /**
     * Identifies a call with a key.
     *
     * @param round identifies a later round, which answers a question of the server and is a separate call; empty in
     *     the first round
     */
    record Id(Principal principal, String key, String round) {

        static Id of(Call call, String key) {
            var request = call.request();
            var state = request.raw(MessageField.REQUEST_STATE).orElse("");
            var responses = request.raw(MessageField.INPUT_RESPONSES).orElse("");
            return new Id(call.caller().principal(), key, state.isEmpty() ? responses : state);
        }
    }

    /**
     * A call that has a key.
     *
     * @param digest distinguishes its request from others with the same key
     */
    record KeyedCall(Id id, String digest, SharedCall run) {

        /** Drops the outcome; a call that asks for it from now on fails, since the call has run. */
        private void forgetOutcome() {
            var words =
                    "the call with the key '%s' has run already, but its outcome is not kept any more; it is not repeated";
            run.replaceOutcome(Outcome.failed(
                    Failure.of(ErrorCode.IN_DOUBT, words.formatted(id.key())).withDelivery(Delivery.UNKNOWN)));
        }
    }

    /** The size of the outcome of a call that has ended, and when that was. */
    private record Kept(int bytes, long endedAt) {}
}
