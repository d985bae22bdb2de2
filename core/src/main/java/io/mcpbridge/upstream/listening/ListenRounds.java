package io.mcpbridge.upstream.listening;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.mcpbridge.failure.Failure;
import io.mcpbridge.message.MessageId;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The round that a {@link Listening} hears, the one that is to take its place, and what both are for. Any thread.
 *
 * <p>Each method is one step that is seen whole or not at all, and says what follows from it; that is done without the
 * lock, since it speaks to the server and to clients.
 */
final class ListenRounds {
    private final ReentrantLock lock = new ReentrantLock();

    @GuardedBy("lock")
    private final Wishes wishes = new Wishes();

    @GuardedBy("lock")
    private @Nullable ListenRound current;

    @GuardedBy("lock")
    private @Nullable ListenRound opening;

    @GuardedBy("lock")
    private boolean isBroken;

    @GuardedBy("lock")
    private boolean isOver;

    /** Resources are wanted for which nobody waits. */
    void want(Set<String> uris) {
        lock.lock();
        try {
            uris.forEach(wishes::add);
        } finally {
            lock.unlock();
        }
    }

    /**
     * What becomes of whoever wants to hear of a resource: told so at once, or kept until a round is acknowledged.
     *
     * @param known the acknowledged round that says whether the server tells of it
     * @param isLate whether all is over
     */
    record Wanted(@Nullable ListenRound known, boolean isLate) {}

    /** A resource is wanted, and {@code told} waits unless it is known already whether the server tells of it. */
    Wanted want(String uri, Consumer<Optional<Failure>> told) {
        lock.lock();
        try {
            if (isOver) {
                return new Wanted(null, true);
            }
            var known = opening == null && current != null && current.asksFor(uri) ? current : null;
            if (known == null) {
                wishes.add(uri, told);
            } else if (known.honours(uri)) {
                wishes.add(uri);
            }
            return new Wanted(known, false);
        } finally {
            lock.unlock();
        }
    }

    /** A resource is wanted no more. */
    void unwant(String uri) {
        lock.lock();
        try {
            wishes.remove(uri);
        } finally {
            lock.unlock();
        }
    }

    /**
     * What is to be done so that what is wanted is listened for.
     *
     * @param begun the round to begin
     * @param idle the round to drop, since nothing is wanted
     */
    record Next(@Nullable ListenRound begun, @Nullable ListenRound idle) {
        private static final Next NOTHING = new Next(null, null);
    }

    /** Opens a round for what is wanted now, unless one is being opened; that one is followed by another then. */
    Next next(Function<Set<String>, ListenFilter> filters, Function<ListenFilter, ListenRound> rounds) {
        lock.lock();
        try {
            var filter = filters.apply(wishes.uris());
            if (isOver
                    || opening != null
                    || (current != null && current.filter().equals(filter))) {
                return Next.NOTHING;
            }
            if (!filter.isEmpty()) {
                opening = rounds.apply(filter);
                return new Next(opening, null);
            }
            var idle = current;
            current = null;
            return new Next(null, idle);
        } finally {
            lock.unlock();
        }
    }

    /** The round with this id; null if it is none of ours. */
    @Nullable
    ListenRound find(Optional<MessageId> id) {
        lock.lock();
        try {
            return Stream.of(Optional.ofNullable(opening), Optional.ofNullable(current))
                    .flatMap(Optional::stream)
                    .filter(round -> id.filter(round.id()::equals).isPresent())
                    .findFirst()
                    .orElse(null);
        } finally {
            lock.unlock();
        }
    }

    /**
     * A round has taken the place of the one before it.
     *
     * @param old the one before it, which is to be dropped
     * @param mayHaveMissed whether nobody listened for a while
     * @param waiting who waits to be told whether the server tells of a resource
     */
    record Acknowledged(
            @Nullable ListenRound old, boolean mayHaveMissed, Map<String, List<Consumer<Optional<Failure>>>> waiting) {}

    /** The server listens as this round wants; empty if the round is of no use any more. */
    Optional<Acknowledged> acknowledged(ListenRound round) {
        lock.lock();
        try {
            if (opening != round) {
                return Optional.empty();
            }
            var waiting = wishes.takeWaiting(round.filter().uris());
            for (var uri : waiting.keySet()) {
                if (!round.honours(uri)) {
                    wishes.remove(uri);
                }
            }
            var acknowledged = new Acknowledged(current, isBroken, waiting);
            current = round;
            opening = null;
            isBroken = false;
            return Optional.of(acknowledged);
        } finally {
            lock.unlock();
        }
    }

    /**
     * A round has ended that was not dropped by us; returns who waited for it, or is empty if it is of no use any more.
     *
     * @param isFinal whether no other one follows, so that nobody would answer those who came after it was sent
     */
    Optional<List<Consumer<Optional<Failure>>>> ended(ListenRound round, boolean isFinal) {
        lock.lock();
        try {
            if (isOver || (round != current && round != opening)) {
                return Optional.empty();
            }
            isBroken = true;
            if (round == current) {
                current = null;
                return Optional.of(List.of());
            }
            opening = null;
            return Optional.of(
                    isFinal
                            ? wishes.giveUpWaitedFor()
                            : wishes.giveUpWaitedFor(round.filter().uris()));
        } finally {
            lock.unlock();
        }
    }

    /**
     * Nothing is listened for any more.
     *
     * @param unanswered the round that is to be dropped
     */
    record Over(
            List<Consumer<Optional<Failure>>> waiting,
            @Nullable ListenRound unanswered) {}

    Over close() {
        lock.lock();
        try {
            isOver = true;
            return new Over(wishes.giveUp(), opening);
        } finally {
            lock.unlock();
        }
    }
}
