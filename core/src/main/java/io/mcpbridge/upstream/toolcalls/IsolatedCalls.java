package io.mcpbridge.upstream.toolcalls;

import io.mcpbridge.call.Call;
import io.mcpbridge.call.Caller;
import io.mcpbridge.call.Reply;
import io.mcpbridge.call.Timekeeper;
import io.mcpbridge.config.ExecutionLimits;
import io.mcpbridge.config.ServerSettings;
import io.mcpbridge.failure.Failure;
import io.mcpbridge.message.Era;
import io.mcpbridge.spi.Environment;
import io.mcpbridge.spi.HeldOff;
import io.mcpbridge.spi.Reading;
import io.mcpbridge.upstream.admission.CallAdmission;
import io.mcpbridge.upstream.admission.CallAdmission.Arrival;
import io.mcpbridge.upstream.admission.CallQueue;
import io.mcpbridge.upstream.admission.QueuedCall;
import io.mcpbridge.upstream.introduction.EraMemory;
import io.mcpbridge.upstream.isolation.ChildKind;
import io.mcpbridge.upstream.isolation.ChildPool;
import io.mcpbridge.upstream.isolation.PoolFigures;
import io.mcpbridge.upstream.isolation.PoolOwner;
import io.mcpbridge.upstream.session.SessionKey;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;

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
public final class IsolatedCalls implements ToolCalls, PoolOwner, IsolatedStart.Ending {
    private final Means means;
    private final ServerSettings settings;
    private final Timekeeper timekeeper;
    private final ChildPool<IsolatedChild> pool;
    private final Set<IsolatedStart> starts = ConcurrentHashMap.newKeySet();
    private volatile boolean isGivenUp;
    private volatile Instant lastError = Instant.EPOCH;

    /** Makes them with nothing started yet. */
    public IsolatedCalls(ServerSettings settings, Environment environment, Means means) {
        this.means = means;
        this.settings = settings;
        this.timekeeper = environment.timekeeper();
        this.pool = new ChildPool<>(settings.isolation(), environment, this);
    }

    /**
     * What they share with the other calls of their server.
     *
     * @param eras which era it speaks
     * @param queue where its calls are counted that wait
     * @param admission which calls may be sent
     * @param starter starts its processes
     * @param unanswered hears of calls that were lost with their process
     */
    public record Means(
            EraMemory eras,
            CallQueue queue,
            CallAdmission admission,
            IsolatedStart.Starter starter,
            Consumer<Failure> unanswered) {}

    @Override
    public void expect(Caller caller) {
        var memory = settings.execution().maxMemoryMb();
        pool.warm(new ChildKind(key(caller), memory), caller);
    }

    @Override
    public void handle(Call call, Reply reply) {
        enter(new Arrival(call, reply, means.admission().lastChange(call)));
    }

    /** It comes to the server, which may have to be asked for its tools before. */
    private void enter(Arrival arrival) {
        var place = means.queue().enter(arrival.reply());
        if (place == null) {
            return;
        }
        var admission = means.admission();
        if (admission.admits(arrival.call(), arrival.change())) {
            seat(new QueuedCall(settings.name(), arrival.call(), arrival.reply(), place));
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
        var unlike = means.admission().unlike(errand.call(), child.tools());
        if (unlike.isEmpty()) {
            var maxExecution = execution(errand.call()).maxExecution();
            new IsolatedRun(errand, child, pool, means.unanswered()).begin(maxExecution);
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
        return settings.tool(IsolatedErrand.tool(call)).execution();
    }

    /** A modern server hears with each request what its client can be asked. */
    private SessionKey key(Caller caller) {
        var key = SessionKey.of(caller, settings.shared());
        var isModern = means.eras().known().filter(Era.MODERN::equals).isPresent();
        return isModern ? new SessionKey(key.principal(), "", 0) : key;
    }

    @Override
    public void start(ChildKind kind, Caller caller) {
        var start = means.starter().start(kind, caller, this);
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
        lastError = timekeeper.now();
        pool.failed(start.kind(), why);
    }

    @Override
    public void gone(IsolatedStart start) {
        pool.gone();
    }

    @Override
    public void ended(IsolatedChild child, Failure why) {
        lastError = timekeeper.now();
        pool.died(child, why, child.wasWorthIt());
    }

    @Override
    public void giveUp() {
        isGivenUp = true;
        starts.forEach(IsolatedStart::hangUp);
        starts.forEach(IsolatedStart::giveUp);
    }

    @Override
    public void killStarts() {
        starts.forEach(IsolatedStart::kill);
    }

    @Override
    public String server() {
        return settings.name();
    }

    @Override
    public int maxFailures() {
        return settings.reconnect().maxStarts();
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
