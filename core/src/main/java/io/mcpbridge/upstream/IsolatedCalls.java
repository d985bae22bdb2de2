package io.mcpbridge.upstream;

import io.mcpbridge.call.Call;
import io.mcpbridge.call.Caller;
import io.mcpbridge.call.Reply;
import io.mcpbridge.config.ExecutionLimits;
import io.mcpbridge.failure.Failure;
import io.mcpbridge.message.Era;
import io.mcpbridge.spi.HeldOff;
import io.mcpbridge.spi.Reading;
import io.mcpbridge.upstream.CallAdmission.Arrival;
import io.mcpbridge.upstream.introduction.EraMemory;
import io.mcpbridge.upstream.isolation.ChildKind;
import io.mcpbridge.upstream.isolation.ChildPool;
import io.mcpbridge.upstream.isolation.PoolFigures;
import io.mcpbridge.upstream.session.SessionKey;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Gives each call of a tool a session and a process of the server for itself, out of a {@link ChildPool}. The last
 * handler of such a call, within its attempts; any thread, and nothing waits but {@link #close}.
 *
 * <p>All stages stand before it, so a call that is repeated has another process each time, and one that is answered from
 * the cache or together with another has none. A call has one place in the queue of its server until it is written,
 * whatever it waits for: the list of its tools, room in the pool, a process that is being started.
 *
 * <p>The process ends after the caller was told; it is killed where the server gave no answer, since it may be at the
 * call still. A call whose client is asked something keeps its process: in the legacy era as it is still under way, in
 * the modern one for {@link IsolatedRun#KEPT} by its {@code requestState}, unless others need the place. Where only
 * approved tools may be called, each process lists its tools while it is started, and a call is not sent to one that
 * lists its tool otherwise.
 */
final class IsolatedCalls implements ToolCalls, ChildPool.Owner, IsolatedStart.Ending {
    private final UpstreamParts parts;
    private final EraMemory eras;
    private final UpstreamSessions sessions;
    private final CallQueue queue;
    private final ChildPool<IsolatedChild> pool;
    private final Set<IsolatedStart> starts = ConcurrentHashMap.newKeySet();
    private volatile boolean isGivenUp;
    private volatile Instant lastError = Instant.EPOCH;

    IsolatedCalls(UpstreamParts parts, EraMemory eras, UpstreamSessions sessions) {
        this.parts = parts;
        this.eras = eras;
        this.sessions = sessions;
        this.queue = sessions.slots().queue();
        this.pool = new ChildPool<>(parts.settings().isolation(), parts.environment(), this);
    }

    @Override
    public void expect(Caller caller) {
        var memory = parts.settings().execution().maxMemoryMb();
        pool.warm(new ChildKind(key(caller), memory), caller);
    }

    @Override
    public void handle(Call call, Reply reply) {
        enter(new Arrival(call, reply, sessions.admission().lastChange(call)));
    }

    /** It comes to the server, which may have to be asked for its tools before. */
    private void enter(Arrival arrival) {
        var place = queue.enter(arrival.reply());
        if (place == null) {
            return;
        }
        var admission = sessions.admission();
        if (admission.admits(arrival.call(), arrival.change())) {
            seat(new QueuedCall(parts.name(), arrival.call(), arrival.reply(), place));
        } else {
            admission.settle(arrival, place, () -> enter(arrival));
        }
    }

    /** It wants a process: that of its last round, else any of its kind. */
    private void seat(QueuedCall queued) {
        var errand = new IsolatedErrand(this, kind(queued.call()), queued);
        var isResumed = errand.continued().filter(round -> pool.resume(round, errand));
        if (isResumed.isEmpty()) {
            pool.take(errand);
        }
        errand.watch();
    }

    /** It has this process for itself from here on. */
    void begin(IsolatedErrand errand, IsolatedChild child) {
        var unlike = sessions.admission().unlike(errand.call(), child.tools());
        if (unlike.isEmpty()) {
            var maxExecution = execution(errand.call()).maxExecution();
            new IsolatedRun(errand, child, pool, sessions).begin(maxExecution);
            return;
        }
        try {
            errand.queued().end(unlike.get());
        } finally {
            pool.release(child);
        }
    }

    void forget(IsolatedErrand errand) {
        pool.forget(errand);
    }

    private ChildKind kind(Call call) {
        return new ChildKind(key(call.caller()), execution(call).maxMemoryMb());
    }

    private ExecutionLimits execution(Call call) {
        return parts.settings().tool(IsolatedErrand.tool(call)).execution();
    }

    /** A modern server hears with each request what its client can be asked. */
    private SessionKey key(Caller caller) {
        var key = SessionKey.of(caller, parts.settings().shared());
        var isModern = eras.known().filter(Era.MODERN::equals).isPresent();
        return isModern ? new SessionKey(key.principal(), "", 0) : key;
    }

    @Override
    public void start(ChildKind kind, Caller caller) {
        var isStrict = sessions.admission().isStrict();
        var start = new IsolatedStart(parts, eras, sessions, kind, caller, isStrict, this);
        starts.add(start);
        if (isGivenUp) {
            // The step that wants it may have been made before the pool was closed.
            start.giveUp();
        } else {
            start.begin();
        }
    }

    @Override
    public void started(IsolatedStart start, IsolatedChild child) {
        starts.remove(start);
        pool.started(child);
    }

    @Override
    public void failed(IsolatedStart start, Failure why) {
        starts.remove(start);
        lastError = parts.environment().timekeeper().now();
        pool.failed(start.kind(), why);
    }

    @Override
    public void gone(IsolatedStart start) {
        pool.gone();
    }

    @Override
    public void ended(IsolatedChild child, Failure why) {
        lastError = parts.environment().timekeeper().now();
        pool.ended(child, why, child.session().use().wasWorthIt());
    }

    @Override
    public void giveUp() {
        isGivenUp = true;
        starts.forEach(IsolatedStart::hangUp);
        starts.forEach(start -> parts.later(start::giveUp));
    }

    @Override
    public void killStarts() {
        starts.forEach(start -> parts.later(start::kill));
    }

    @Override
    public String server() {
        return parts.name();
    }

    @Override
    public int maxFailures() {
        return parts.settings().reconnect().maxStarts();
    }

    PoolFigures figures() {
        return pool.figures();
    }

    @Override
    public int underWayElsewhere() {
        return figures().busy();
    }

    /** That no process can be started. */
    @Override
    public Optional<HeldOff> trouble() {
        var figures = figures();
        return figures.isHopeless()
                ? Optional.of(new HeldOff("no process can be started for calls: " + figures.lastError(), lastError))
                : Optional.empty();
    }

    @Override
    public List<String> remarks() {
        return List.of(figures().words());
    }

    @Override
    public List<Reading> readings() {
        return figures().readings();
    }

    @Override
    public void close(Failure why) {
        pool.close(why);
    }
}
