package io.mcpbridge.retry.limit;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.mcpbridge.call.Call;
import io.mcpbridge.call.Handler;
import io.mcpbridge.call.Outcome;
import io.mcpbridge.call.Principal;
import io.mcpbridge.call.Reply;
import io.mcpbridge.call.Timekeeper;
import io.mcpbridge.failure.ErrorCode;
import io.mcpbridge.failure.Failure;
import io.mcpbridge.spi.CallStage;
import io.mcpbridge.spi.Reading;
import io.mcpbridge.spi.StageContext;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Lets so many calls of a server begin in a second. Who comes too early is parked until it is its turn, unless it would
 * come too late then. A server that asks for patience with 429 gets it from everybody. Any thread.
 */
public final class RateLimitStage implements CallStage {
    private static final int TOO_MANY_REQUESTS = 429;

    /** Longer than that nobody waits because of an answer to somebody else. */
    private static final Duration LONGEST_PAUSE = Duration.ofSeconds(60);

    /** How many users are remembered before those are forgotten who have not called lately. */
    private static final int MOST_PRINCIPALS = 1_024;

    private final RateLimitSettings settings;
    private final String server;
    private final Timekeeper timekeeper;
    private final ReentrantLock lock = new ReentrantLock();

    @GuardedBy("lock")
    private final CellRate all;

    @GuardedBy("lock")
    private final Map<Principal, CellRate> each = new HashMap<>();

    @GuardedBy("lock")
    private final FairQueue queue = new FairQueue();

    @GuardedBy("lock")
    private long pausedUntil;

    /** Spares the lock while the server has not asked for patience. */
    private volatile boolean isPaused;

    @GuardedBy("lock")
    private Timekeeper.Alarm alarm = () -> {};

    public RateLimitStage(RateLimitSettings settings, StageContext context) {
        this.settings = settings;
        this.server = context.server();
        this.timekeeper = context.environment().timekeeper();
        this.pausedUntil = timekeeper.nanoTime();
        this.all = new CellRate(settings.server(), pausedUntil);
        context.onChanged(change -> {
            if (change.isEmpty()) {
                resume();
            }
        });
    }

    @Override
    public void handle(Call call, Reply reply, Handler next) {
        var turn = new ParkedTurn(call, reply, next);
        var displaced = new ArrayList<ParkedTurn>(1);
        switch (arrive(turn, displaced)) {
            case BEGINS -> turn.begin();
            case WAITS -> turn.watch(server, () -> remove(turn));
            case TOO_MANY -> reply.done(Outcome.failed(tooMany()));
            case TOO_LATE ->
                reply.done(Outcome.failed(overloaded("its turn comes only after its deadline, in %d ms"
                        .formatted(call.deadline().remaining().toMillis()))));
        }
        displaced.forEach(other -> other.refuse(tooMany()));
    }

    @Override
    public List<Reading> readings() {
        lock.lock();
        try {
            var pause = Math.max(0, pausedUntil - timekeeper.nanoTime());
            var words = pause == 0
                    ? ""
                    : "the server asked for %d ms more"
                            .formatted(Duration.ofNanos(pause).toMillis());
            return List.of(new Reading("rate-limit.waiting", queue.size(), words));
        } finally {
            lock.unlock();
        }
    }

    /** Hears whether the server asks for patience, or has shown that it takes calls again. */
    @Override
    public void attemptEnded(Call call, Outcome outcome) {
        if (outcome instanceof Outcome.Answered answered && !answered.response().isError()) {
            resume();
        } else if (outcome instanceof Outcome.Failed failed
                && failed.failure().status().orElse(0) == TOO_MANY_REQUESTS) {
            failed.failure().retryAfter().ifPresent(this::pause);
        }
    }

    private enum Arrival {
        BEGINS,
        WAITS,
        TOO_MANY,
        TOO_LATE
    }

    /** What follows for a call that comes now, and in {@code displaced} who has to go for it. */
    private Arrival arrive(ParkedTurn turn, List<ParkedTurn> displaced) {
        lock.lock();
        try {
            var now = timekeeper.nanoTime();
            var wait = pauseOf(turn.principal(), now);
            if (wait == 0 && queue.size() == 0) {
                take(turn.principal(), now);
                return Arrival.BEGINS;
            }
            if (turnOf(turn.principal(), now) >= turn.remaining().toNanos()) {
                return Arrival.TOO_LATE;
            }
            if (queue.size() >= settings.queue()) {
                queue.displace(turn.principal()).ifPresent(displaced::add);
                if (displaced.isEmpty()) {
                    return Arrival.TOO_MANY;
                }
            }
            queue.add(turn);
            setAlarm(now);
            return Arrival.WAITS;
        } finally {
            lock.unlock();
        }
    }

    /** Lets those begin whose turn it is, outside the lock. */
    @SuppressWarnings("GuardedBy") // the queue asks at once, in this thread, which holds the lock
    private void due() {
        var begun = new ArrayList<ParkedTurn>();
        lock.lock();
        try {
            var now = timekeeper.nanoTime();
            for (var turn = queue.next(user -> pauseOf(user, now) == 0);
                    turn.isPresent();
                    turn = queue.next(user -> pauseOf(user, now) == 0)) {
                if (turn.get().take()) {
                    take(turn.get().principal(), now);
                    begun.add(turn.get());
                }
            }
            setAlarm(now);
        } finally {
            lock.unlock();
        }
        begun.forEach(ParkedTurn::begin);
    }

    private void remove(ParkedTurn turn) {
        lock.lock();
        try {
            queue.remove(turn);
            setAlarm(timekeeper.nanoTime());
        } finally {
            lock.unlock();
        }
    }

    /** The server has asked for patience. */
    private void pause(Duration span) {
        lock.lock();
        try {
            var now = timekeeper.nanoTime();
            var bounded = span.compareTo(LONGEST_PAUSE) < 0 ? span : LONGEST_PAUSE;
            pausedUntil = Math.max(pausedUntil, now + bounded.toNanos());
            isPaused = true;
            setAlarm(now);
        } finally {
            lock.unlock();
        }
    }

    /** Nobody waits any more because the server had asked for patience. */
    private void resume() {
        if (!isPaused) {
            return;
        }
        lock.lock();
        try {
            isPaused = false;
            pausedUntil = timekeeper.nanoTime();
            setAlarm(pausedUntil);
        } finally {
            lock.unlock();
        }
    }

    @GuardedBy("lock")
    private void setAlarm(long now) {
        alarm.cancel();
        var soonest = Long.MAX_VALUE;
        for (var user : queue.principals()) {
            soonest = Math.min(soonest, pauseOf(user, now));
        }
        alarm = queue.size() == 0 ? () -> {} : timekeeper.schedule(Duration.ofNanos(soonest), this::due);
    }

    @GuardedBy("lock")
    private long pauseOf(Principal user, long now) {
        return Math.max(ownPause(user, now), Math.max(pausedUntil - now, pauseOfAll(now)));
    }

    @GuardedBy("lock")
    private long ownPause(Principal user, long now) {
        var own = each.get(user);
        return own == null ? 0 : own.pause(now);
    }

    @GuardedBy("lock")
    private long pauseOfAll(long now) {
        return settings.server().isLimited() ? all.pause(now) : 0;
    }

    /** How long it takes, at the least, until a further call of the user may begin. */
    @GuardedBy("lock")
    private long turnOf(Principal user, long now) {
        var own = queue.length(user);
        var byOwnRate = ownPause(user, now) + span(own, settings.principal());
        var byRate = pauseOfAll(now) + span(own + aheadOf(user, own, now), settings.server());
        return Math.max(pausedUntil - now, Math.max(byOwnRate, byRate));
    }

    /** How many calls of other users begin earlier, who take turns with this one; not those who wait for their own rate. */
    @GuardedBy("lock")
    private int aheadOf(Principal user, int own, long now) {
        var ahead = 0;
        for (var other : queue.principals()) {
            if (!other.equals(user) && ownPause(other, now) == 0) {
                ahead += Math.min(own + 1, queue.length(other));
            }
        }
        return ahead;
    }

    private static long span(int calls, RateLimitSettings.Rate rate) {
        return (long) (calls * TimeUnit.SECONDS.toNanos(1) / rate.perSecond());
    }

    @GuardedBy("lock")
    private void take(Principal user, long now) {
        all.take(now);
        if (settings.principal().isLimited()) {
            if (each.size() >= MOST_PRINCIPALS) {
                each.values().removeIf(rate -> rate.isIdle(now));
            }
            each.computeIfAbsent(user, absent -> new CellRate(settings.principal(), now))
                    .take(now);
        }
    }

    private Failure tooMany() {
        return overloaded(
                "%d calls wait for their turn already, which is the limit 'queue'".formatted(settings.queue()));
    }

    private Failure overloaded(String why) {
        return Failure.of(ErrorCode.OVERLOADED, "the rate limit of server '%s' is reached: %s".formatted(server, why))
                .withServer(server);
    }
}
