package io.mcpbridge.retry.limit;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.mcpbridge.call.Call;
import io.mcpbridge.call.Outcome;
import io.mcpbridge.call.Principal;
import io.mcpbridge.call.Timekeeper;
import io.mcpbridge.failure.ErrorCode;
import io.mcpbridge.failure.Failure;
import io.mcpbridge.retry.limit.FairCallQueue.QueuedCall;
import io.mcpbridge.retry.limit.RateLimitSettings.Rate;
import io.mcpbridge.spi.CallContext;
import io.mcpbridge.spi.CallStage;
import io.mcpbridge.spi.CallStage.Next;
import io.mcpbridge.spi.CallStage.Outage;
import io.mcpbridge.spi.CallStage.Place;
import io.mcpbridge.spi.CallStageProvider;
import io.mcpbridge.spi.GaugeReading;
import io.mcpbridge.spi.StageContext;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Limits how many calls of a server begin per second, in all and per user. A call that comes too early waits in a fair queue;
 * one that could only begin after its deadline is rejected at once. When the server answers 429 with {@code Retry-After}, no
 * call begins for that time. Any thread may use it.
 */
public final class RateLimitStage implements CallStage {
    private static final int TOO_MANY_REQUESTS = 429;

    /** The longest pause that one answer of the server can cause for all callers. */
    private static final Duration MAX_PAUSE = Duration.ofSeconds(60);

    /** How many users are tracked before those without recent calls are removed. */
    private static final int MAX_TRACKED_USERS = 1_024;

    private final RateLimitSettings settings;
    private final String server;
    private final Timekeeper timekeeper;
    private final ReentrantLock lock = new ReentrantLock();

    @GuardedBy("lock")
    private final FairCallQueue queue = new FairCallQueue();

    @GuardedBy("lock")
    private final CellRate serverRate;

    /** The rates of the users who called lately. */
    @GuardedBy("lock")
    private final Map<Principal, CellRate> userRates = new HashMap<>();

    /** When the server asked for a pause. */
    @GuardedBy("lock")
    private long pausedAt;

    @GuardedBy("lock")
    private long pausedUntil;

    /** Whether the server asked for a pause; written under the lock, read without it to avoid the lock. */
    private volatile boolean isPaused;

    @GuardedBy("lock")
    private Timekeeper.Alarm alarm = () -> {};

    public RateLimitStage(RateLimitSettings settings, StageContext context) {
        this.settings = settings;
        this.server = context.server();
        this.timekeeper = context.environment().timekeeper();
        var now = timekeeper.nanoTime();
        this.serverRate = new CellRate(settings.server(), now);
        this.pausedAt = now;
        this.pausedUntil = now;
        context.onChanged(change -> {
            if (change.isEmpty()) {
                endPause();
            }
        });
    }

    @Override
    public void handle(CallContext call, Next next) {
        var arriving = new QueuedCall(call, next);
        var evicted = new ArrayList<QueuedCall>(0);
        switch (admit(arriving, evicted)) {
            case BEGINS -> arriving.begin();
            case WAITS -> arriving.watchCancellation(server, () -> remove(arriving));
            case QUEUE_FULL -> call.complete(Outcome.failed(queueFull()));
            case TOO_LATE ->
                call.complete(Outcome.failed(overloaded("the call could begin only after its deadline, in %d ms"
                        .formatted(call.deadline().remaining().toMillis()))));
        }
        evicted.forEach(other -> other.reject(queueFull()));
    }

    @Override
    public List<GaugeReading> readings() {
        lock.lock();
        try {
            var text = remainingPauseMillis().map("the server asked for a pause of %d ms more"::formatted);
            return List.of(new GaugeReading("rate-limit.waiting", queue.size(), text.orElse("")));
        } finally {
            lock.unlock();
        }
    }

    @Override
    public Optional<Outage> rejecting() {
        if (!isPaused) {
            return Optional.empty();
        }
        lock.lock();
        try {
            var since = Duration.ofNanos(timekeeper.nanoTime() - pausedAt);
            return remainingPauseMillis()
                    .map("no call begins for %d ms more, since the server answered with HTTP status 429"::formatted)
                    .map(why -> new Outage(why, timekeeper.now().minus(since)));
        } finally {
            lock.unlock();
        }
    }

    /** Starts a pause that the server asks for, and ends it when the server has answered a later call. */
    @Override
    public void attemptEnded(Call call, Outcome outcome, Duration took) {
        if (outcome instanceof Outcome.Answered answered && !answered.response().isError()) {
            answered(took);
        } else if (outcome instanceof Outcome.Failed failed
                && failed.failure().status().orElse(0) == TOO_MANY_REQUESTS) {
            failed.failure().retryAfter().ifPresent(this::pause);
        }
    }

    /** Decides about a call that arrives now; adds a call that has to leave the queue for it to {@code evicted}. */
    private Admission admit(QueuedCall arriving, List<QueuedCall> evicted) {
        lock.lock();
        try {
            var now = timekeeper.nanoTime();
            if (delay(arriving.user(), now) == 0 && queue.size() == 0) {
                countBegun(arriving.user(), now);
                return Admission.BEGINS;
            }
            if (estimatedWait(arriving.user(), now) >= arriving.remaining().toNanos()) {
                return Admission.TOO_LATE;
            }
            if (!queue.add(arriving, settings.queue(), evicted)) {
                return Admission.QUEUE_FULL;
            }
            setAlarm(now);
            return Admission.WAITS;
        } finally {
            lock.unlock();
        }
    }

    /** Begins the calls that are due; runs them without the lock. */
    @SuppressWarnings("GuardedBy") // the queue calls the predicate in this thread, which holds the lock
    private void beginDue() {
        var begun = new ArrayList<QueuedCall>();
        lock.lock();
        try {
            var now = timekeeper.nanoTime();
            for (var next = queue.poll(user -> delay(user, now) == 0);
                    next.isPresent();
                    next = queue.poll(user -> delay(user, now) == 0)) {
                if (next.get().take()) {
                    countBegun(next.get().user(), now);
                    begun.add(next.get());
                }
            }
            setAlarm(now);
        } finally {
            lock.unlock();
        }
        begun.forEach(QueuedCall::begin);
    }

    private void remove(QueuedCall call) {
        lock.lock();
        try {
            queue.remove(call);
            setAlarm(timekeeper.nanoTime());
        } finally {
            lock.unlock();
        }
    }

    private void pause(Duration span) {
        lock.lock();
        try {
            var now = timekeeper.nanoTime();
            var bounded = span.compareTo(MAX_PAUSE) < 0 ? span : MAX_PAUSE;
            pausedUntil = Math.max(pausedUntil, now + bounded.toNanos());
            pausedAt = now;
            isPaused = true;
            setAlarm(now);
        } finally {
            lock.unlock();
        }
    }

    /** The server answered a call that took so long; ends the pause if the call began after the pause. */
    private void answered(Duration took) {
        if (!isPaused) {
            return;
        }
        lock.lock();
        try {
            if (timekeeper.nanoTime() - took.toNanos() - pausedAt > 0) {
                endPause();
            }
        } finally {
            lock.unlock();
        }
    }

    private void endPause() {
        lock.lock();
        try {
            if (isPaused) {
                var now = timekeeper.nanoTime();
                pausedUntil = now;
                isPaused = false;
                setAlarm(now);
            }
        } finally {
            lock.unlock();
        }
    }

    @GuardedBy("lock")
    private Optional<Long> remainingPauseMillis() {
        var rest = pausedUntil - timekeeper.nanoTime();
        return rest <= 0 ? Optional.empty() : Optional.of(TimeUnit.NANOSECONDS.toMillis(rest));
    }

    /** The nanoseconds until a call of this user may begin, apart from the queue; zero if it may now. */
    @GuardedBy("lock")
    private long delay(Principal user, long now) {
        return Math.max(userDelay(user, now), Math.max(pausedUntil - now, serverDelay(now)));
    }

    @GuardedBy("lock")
    private long serverDelay(long now) {
        return settings.server().isLimited() ? serverRate.delay(now) : 0;
    }

    @GuardedBy("lock")
    private long userDelay(Principal user, long now) {
        var own = userRates.get(user);
        return own == null ? 0 : own.delay(now);
    }

    /** The nanoseconds, at least, until one more call of the user could begin behind those that wait. */
    @GuardedBy("lock")
    private long estimatedWait(Principal user, long now) {
        var own = queue.length(user);
        var byUserRate = userDelay(user, now) + nanos(own, settings.principal());
        var byServerRate = serverDelay(now) + nanos(own + callsAhead(user, own, now), settings.server());
        return Math.max(pausedUntil - now, Math.max(byUserRate, byServerRate));
    }

    /** How many calls of other users begin earlier by round robin; without users who wait for their own rate. */
    @GuardedBy("lock")
    private int callsAhead(Principal user, int own, long now) {
        var ahead = 0;
        for (var other : queue.users()) {
            if (!other.equals(user) && userDelay(other, now) == 0) {
                ahead += Math.min(own + 1, queue.length(other));
            }
        }
        return ahead;
    }

    private static long nanos(int calls, Rate rate) {
        return (long) (calls * TimeUnit.SECONDS.toNanos(1) / rate.perSecond());
    }

    @GuardedBy("lock")
    private void countBegun(Principal user, long now) {
        serverRate.count(now);
        if (!settings.principal().isLimited()) {
            return;
        }
        if (userRates.size() >= MAX_TRACKED_USERS) {
            userRates.values().removeIf(known -> known.isIdle(now));
        }
        userRates
                .computeIfAbsent(user, absent -> new CellRate(settings.principal(), now))
                .count(now);
    }

    @GuardedBy("lock")
    private void setAlarm(long now) {
        alarm.cancel();
        if (queue.size() == 0) {
            alarm = () -> {};
            return;
        }
        var soonest = Long.MAX_VALUE;
        for (var user : queue.users()) {
            soonest = Math.min(soonest, delay(user, now));
        }
        alarm = timekeeper.schedule(Duration.ofNanos(soonest), this::beginDue);
    }

    private Failure queueFull() {
        return overloaded("%d calls wait already, which is the limit 'rate-limit.queue'".formatted(settings.queue()));
    }

    private Failure overloaded(String why) {
        return Failure.of(ErrorCode.OVERLOADED, "the rate limit of server '%s' is reached: %s".formatted(server, why))
                .withServer(server);
    }

    private enum Admission {
        BEGINS,
        WAITS,
        QUEUE_FULL,
        TOO_LATE
    }

    /** The generic cell rate algorithm: one time stamp holds what was used. Guarded by the lock of the stage. */
    private static final class CellRate {
        private final double nanosPerCall;
        private final double tolerance;
        private double dueAt;

        CellRate(Rate rate, long now) {
            this.nanosPerCall = TimeUnit.SECONDS.toNanos(1) / rate.perSecond();
            this.tolerance = nanosPerCall * (rate.burst() - 1.0);
            this.dueAt = now;
        }

        /** How many nanoseconds a call that arrives now has to wait; zero if it may begin. */
        long delay(long now) {
            return (long) Math.ceil(Math.max(0, dueAt - tolerance - now));
        }

        /** Counts a call that begins. */
        void count(long now) {
            dueAt = Math.max(dueAt, (double) now) + nanosPerCall;
        }

        /** Whether nothing was used lately, so that this rate need not be kept. */
        boolean isIdle(long now) {
            return dueAt <= now;
        }
    }

    /** Provides {@code rate-limit}, for servers whose configuration has such a section. */
    public static final class RateLimitProvider implements CallStageProvider {

        @Override
        public Id id() {
            return new Id("rate-limit", SPI_VERSION);
        }

        @Override
        public Place place() {
            return Place.RATE_LIMIT;
        }

        @Override
        public Optional<CallStage> create(StageContext context) {
            return context.isConfigured()
                    ? Optional.of(new RateLimitStage(RateLimitSettings.from(context.settings()), context))
                    : Optional.empty();
        }
    }
}
