package io.mcpbridge.downstream.repeats;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.mcpbridge.call.Outcome;
import io.mcpbridge.call.Principal;
import io.mcpbridge.call.Timekeeper;
import io.mcpbridge.failure.Delivery;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;

/** The calls that have a key: those under way, and for a while those that have ended. Bounded; any thread. */
final class KeyTable {
    /** What a failure is counted as, beside its words. */
    private static final int FAILURE_BYTES = 512;

    private final RepeatLimits limits;
    private final Timekeeper timekeeper;
    private final ReentrantLock lock = new ReentrantLock();

    @GuardedBy("lock")
    private final Map<CallId, KeyedCall> calls = new HashMap<>();

    @GuardedBy("lock")
    private final Shelf all = new Shelf();

    @GuardedBy("lock")
    private final Map<Principal, Shelf> shelves = new HashMap<>();

    @GuardedBy("lock")
    private boolean isExpiring;

    KeyTable(RepeatLimits limits, Timekeeper timekeeper) {
        this.limits = limits;
        this.timekeeper = timekeeper;
    }

    /** The call that is known by the id, else {@code fresh}; empty if its principal has too many under way. */
    Optional<KeyedCall> enter(KeyedCall fresh) {
        lock.lock();
        try {
            var known = calls.get(fresh.id());
            if (known != null) {
                return Optional.of(known);
            }
            var shelf = shelves.computeIfAbsent(fresh.id().principal(), absent -> new Shelf());
            if (shelf.running >= limits.running()) {
                return Optional.empty();
            }
            shelf.running++;
            calls.put(fresh.id(), fresh);
            return Optional.of(fresh);
        } finally {
            lock.unlock();
        }
    }

    /** Keeps what became of a call, unless it never ran: then it may still do so. */
    void ended(KeyedCall call, Outcome outcome) {
        var bytes = size(outcome);
        var isTooLarge = bytes > limits.largest();
        lock.lock();
        try {
            var shelf = shelves.computeIfAbsent(call.id().principal(), absent -> new Shelf());
            shelf.running--;
            if (didNotRun(outcome)) {
                calls.remove(call.id());
                tidy(call.id().principal(), shelf);
                return;
            }
            if (isTooLarge) {
                call.forgetOutcome();
            }
            var kept = new Shelf.Kept(isTooLarge ? 0 : bytes, timekeeper.nanoTime());
            all.add(call, kept);
            shelf.add(call, kept);
            makeRoom(shelf, limits.each());
            makeRoom(all, limits.all());
            expireLater();
        } finally {
            lock.unlock();
        }
    }

    /** How many are known, under way or ended. */
    int size() {
        lock.lock();
        try {
            return calls.size();
        } finally {
            lock.unlock();
        }
    }

    /** What the outcomes take that are kept. */
    long bytes() {
        lock.lock();
        try {
            return all.bytes();
        } finally {
            lock.unlock();
        }
    }

    @GuardedBy("lock")
    private void makeRoom(Shelf shelf, RepeatLimits.Share share) {
        while (shelf.size() > share.calls()) {
            drop(shelf.oldest());
        }
        while (shelf.bytes() > share.bytes()) {
            var full = shelf.oldestOutcome();
            full.forgetOutcome();
            all.empty(full);
            shelfOf(full).empty(full);
        }
    }

    @GuardedBy("lock")
    private void drop(KeyedCall call) {
        calls.remove(call.id());
        all.remove(call);
        var shelf = shelfOf(call);
        shelf.remove(call);
        tidy(call.id().principal(), shelf);
    }

    @GuardedBy("lock")
    private Shelf shelfOf(KeyedCall call) {
        return shelves.computeIfAbsent(call.id().principal(), absent -> new Shelf());
    }

    @GuardedBy("lock")
    private void tidy(Principal principal, Shelf shelf) {
        if (shelf.running == 0 && shelf.size() == 0) {
            shelves.remove(principal);
        }
    }

    @GuardedBy("lock")
    private void expireLater() {
        if (isExpiring || all.size() == 0) {
            return;
        }
        isExpiring = true;
        var age = timekeeper.nanoTime() - all.endOf(all.oldest());
        var rest = Math.max(1, limits.kept().toNanos() - age);
        timekeeper.schedule(Duration.ofNanos(rest), this::expire);
    }

    private void expire() {
        lock.lock();
        try {
            isExpiring = false;
            var now = timekeeper.nanoTime();
            while (all.size() > 0
                    && now - all.endOf(all.oldest()) >= limits.kept().toNanos()) {
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
}
