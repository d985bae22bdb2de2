package io.mcpbridge.retry.limit;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.mcpbridge.call.Call;
import io.mcpbridge.call.Handler;
import io.mcpbridge.call.Outcome;
import io.mcpbridge.call.Reply;
import io.mcpbridge.call.Timekeeper;
import io.mcpbridge.failure.ErrorCode;
import io.mcpbridge.failure.Failure;
import io.mcpbridge.spi.CallStage;
import io.mcpbridge.spi.HeldOff;
import io.mcpbridge.spi.Reading;
import io.mcpbridge.spi.StageContext;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Lets so many calls of a server begin in a second. Who comes too early is parked until it is its turn, unless it would
 * come too late then. A server that asks for patience with 429 gets it from everybody. Any thread.
 */
public final class RateLimitStage implements CallStage {
    private static final int TOO_MANY_REQUESTS = 429;

    private final RateLimitSettings settings;
    private final String server;
    private final Timekeeper timekeeper;
    private final ReentrantLock lock = new ReentrantLock();

    @GuardedBy("lock")
    private final FairQueue queue = new FairQueue();

    @GuardedBy("lock")
    private final Turns turns;

    /** Changed under the lock alone. */
    private final ServerPause pause;

    @GuardedBy("lock")
    private Timekeeper.Alarm alarm = () -> {};

    public RateLimitStage(RateLimitSettings settings, StageContext context) {
        this.settings = settings;
        this.server = context.server();
        this.timekeeper = context.environment().timekeeper();
        var now = timekeeper.nanoTime();
        this.pause = new ServerPause(now);
        this.turns = new Turns(settings, queue, pause, now);
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
            var words = patience().map("the server asked for %d ms more"::formatted);
            return List.of(new Reading("rate-limit.waiting", queue.size(), words.orElse("")));
        } finally {
            lock.unlock();
        }
    }

    @Override
    public Optional<HeldOff> heldOff() {
        if (!pause.isOn()) {
            return Optional.empty();
        }
        lock.lock();
        try {
            var age = pause.age(timekeeper.nanoTime());
            return patience()
                    .map("calls are held off since it answered with HTTP status 429, for %d ms more"::formatted)
                    .map(why -> new HeldOff(why, timekeeper.now().minus(age)));
        } finally {
            lock.unlock();
        }
    }

    /** For how many milliseconds more the server asked. */
    @GuardedBy("lock")
    private Optional<Long> patience() {
        var rest = pause.rest(timekeeper.nanoTime());
        return rest <= 0 ? Optional.empty() : Optional.of(TimeUnit.NANOSECONDS.toMillis(rest));
    }

    /** Hears whether the server asks for patience, or has shown that it takes calls again. */
    @Override
    public void attemptEnded(Call call, Outcome outcome, Duration took) {
        if (outcome instanceof Outcome.Answered answered && !answered.response().isError()) {
            worked(took);
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
            var wait = turns.pauseOf(turn.principal(), now);
            if (wait == 0 && queue.size() == 0) {
                turns.take(turn.principal(), now);
                return Arrival.BEGINS;
            }
            if (turns.turnOf(turn.principal(), now) >= turn.remaining().toNanos()) {
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
            for (var turn = queue.next(user -> turns.pauseOf(user, now) == 0);
                    turn.isPresent();
                    turn = queue.next(user -> turns.pauseOf(user, now) == 0)) {
                if (turn.get().take()) {
                    turns.take(turn.get().principal(), now);
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
            pause.begin(span, now);
            setAlarm(now);
        } finally {
            lock.unlock();
        }
    }

    /** A call that began so long ago had an answer. */
    private void worked(Duration took) {
        if (!pause.isOn()) {
            return;
        }
        lock.lock();
        try {
            if (pause.isOlderThan(timekeeper.nanoTime() - took.toNanos())) {
                resume();
            }
        } finally {
            lock.unlock();
        }
    }

    /** Nobody waits any more because the server had asked for patience. */
    private void resume() {
        lock.lock();
        try {
            if (pause.isOn()) {
                var now = timekeeper.nanoTime();
                pause.end(now);
                setAlarm(now);
            }
        } finally {
            lock.unlock();
        }
    }

    @GuardedBy("lock")
    private void setAlarm(long now) {
        alarm.cancel();
        alarm = queue.size() == 0 ? () -> {} : timekeeper.schedule(Duration.ofNanos(turns.soonest(now)), this::due);
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
