package io.mcpbridge.upstream;

import io.mcpbridge.call.Call;
import io.mcpbridge.call.Caller;
import io.mcpbridge.call.CancelReason;
import io.mcpbridge.call.Handler;
import io.mcpbridge.call.Outcome;
import io.mcpbridge.call.Reply;
import io.mcpbridge.call.Timekeeper;
import io.mcpbridge.config.ExecutionLimits;
import io.mcpbridge.failure.ErrorCode;
import io.mcpbridge.failure.Failure;
import io.mcpbridge.message.Era;
import io.mcpbridge.message.Part;
import io.mcpbridge.message.Response;
import io.mcpbridge.spi.HeldOff;
import io.mcpbridge.spi.Reading;
import io.mcpbridge.upstream.CallAdmission.Arrival;
import io.mcpbridge.upstream.introduction.EraMemory;
import io.mcpbridge.upstream.isolation.ChildKind;
import io.mcpbridge.upstream.isolation.ChildPool;
import io.mcpbridge.upstream.isolation.PoolFigures;
import io.mcpbridge.upstream.isolation.Round;
import io.mcpbridge.upstream.session.SessionKey;
import java.time.Duration;
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
 * the cache or together with another has none. The process ends after the caller was told; it is killed where the
 * server gave no answer, since it may be at the call still. A call whose client is asked something keeps its process: in the legacy era as it is still
 * under way, in the modern one for {@link #KEPT} by its {@code requestState}, unless others need the place. Where only
 * approved tools may be called, each process lists its tools while it is started, and a call is not sent to one that lists
 * its tool otherwise.
 */
final class IsolatedCalls implements Handler, ChildPool.Owner, IsolatedStart.Ending {
    /** How long the process of a modern server is kept for the next round of its call. */
    static final Duration KEPT = Duration.ofMinutes(10);

    private static final String INPUT_REQUIRED = "input_required";

    private final UpstreamParts parts;
    private final EraMemory eras;
    private final UpstreamSessions sessions;
    private final CallQueue queue;
    private final ChildPool<IsolatedChild> pool;
    private final Set<IsolatedStart> starts = ConcurrentHashMap.newKeySet();
    private volatile Instant lastError = Instant.EPOCH;

    IsolatedCalls(UpstreamParts parts, EraMemory eras, UpstreamSessions sessions) {
        this.parts = parts;
        this.eras = eras;
        this.sessions = sessions;
        this.queue = sessions.slots().queue();
        this.pool = new ChildPool<>(parts.settings().isolation(), parts.environment(), this);
    }

    /** A session for callers like this one is ready, whose calls may come next. */
    void warm(Caller caller) {
        var memory = parts.settings().execution().maxMemoryMb();
        pool.warm(new ChildKind(key(caller), memory), caller);
    }

    @Override
    public void handle(Call call, Reply reply) {
        send(new Arrival(call, reply, sessions.admission().lastChange(call)));
    }

    private void send(Arrival arrival) {
        var place = queue.enter();
        if (place == null) {
            arrival.reply().done(Outcome.failed(queue.overflow()));
            return;
        }
        var admission = sessions.admission();
        if (admission.admits(arrival.call(), arrival.change())) {
            seat(new IsolatedErrand(this, kind(arrival.call()), arrival.call(), arrival.reply(), place));
        } else {
            admission.settle(arrival, place, () -> send(arrival));
        }
    }

    private void seat(IsolatedErrand errand) {
        var state = errand.call().request().text(Part.REQUEST_STATE);
        if (state.isEmpty() || !pool.resume(round(errand.call(), state.get()), errand)) {
            pool.take(errand);
        }
        errand.watch();
    }

    private ChildKind kind(Call call) {
        return new ChildKind(key(call.caller()), tool(call).maxMemoryMb());
    }

    private ExecutionLimits tool(Call call) {
        return parts.settings().tool(toolName(call)).execution();
    }

    /** A modern server hears with each request what its client can be asked. */
    private SessionKey key(Caller caller) {
        var key = SessionKey.of(caller, parts.settings().shared());
        var isModern = eras.known().filter(Era.MODERN::equals).isPresent();
        return isModern ? new SessionKey(key.principal(), "", 0) : key;
    }

    /** What the next round of a call is known by; nobody else's is. */
    private static Round round(Call call, String state) {
        return new Round(call.caller().principal(), toolName(call), state);
    }

    private static String toolName(Call call) {
        return call.request().text(Part.NAME).orElse("");
    }

    /** The call has this process for itself from here on. */
    void begin(IsolatedErrand errand, IsolatedChild child) {
        var unlike = sessions.admission().unlike(errand.call(), child.tools());
        if (unlike.isPresent()) {
            try {
                errand.end(unlike.get());
            } finally {
                pool.release(child);
            }
            return;
        }
        var call = limited(errand.call());
        var limit = limit(call, errand.call());
        var reply = new IsolatedReply(errand.reply(), limit, outcome -> {
            note(outcome);
            leave(call, child, outcome);
        });
        try {
            child.serve(call.caller());
            child.session().send(call, reply, errand.place());
        } catch (RuntimeException defect) {
            errand.place().leave();
            reply.done(Outcome.failed(
                    Failure.of(ErrorCode.INTERNAL_ERROR, "the call could not be sent to the server: " + defect)
                            .withServer(parts.name())
                            .withCause(defect)));
        }
    }

    /** Shows operators what a call ended with; of those that took too long the session has told. */
    private void note(Outcome outcome) {
        if (outcome instanceof Outcome.Failed failed && IsolatedReply.isLoss(failed.failure())) {
            sessions.unanswered(failed.failure());
        }
    }

    private Call limited(Call call) {
        var deadline = call.deadline().within(tool(call).maxExecution());
        return deadline == call.deadline() ? call : call.withDeadline(deadline);
    }

    /** Where the call's own deadline comes first, whoever set it withdraws the call then. */
    private static Timekeeper.Alarm limit(Call limited, Call call) {
        return limited == call
                ? () -> {}
                : limited.deadline().alarm(() -> limited.cancellation().cancel(CancelReason.TIMED_OUT));
    }

    private void leave(Call call, IsolatedChild child, Outcome outcome) {
        if (!(outcome instanceof Outcome.Answered answered)) {
            pool.kill(child);
            return;
        }
        pool.worked(child);
        var state = nextRound(answered.response());
        if (state.isPresent()) {
            pool.keep(child, round(call, state.get()), KEPT);
        } else {
            pool.release(child);
        }
    }

    private static Optional<String> nextRound(Response response) {
        return response.text(Part.RESULT_TYPE)
                .filter(INPUT_REQUIRED::equals)
                .flatMap(type -> response.text(Part.RESULT_STATE));
    }

    void forget(IsolatedErrand errand) {
        pool.forget(errand);
    }

    @Override
    public void start(ChildKind kind, Caller caller) {
        var isStrict = sessions.admission().isStrict();
        var start = new IsolatedStart(parts.within(kind.memoryMb()), eras, sessions, kind, caller, isStrict, this);
        starts.add(start);
        start.begin();
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
        starts.forEach(IsolatedStart::giveUp);
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

    /** That calls are refused, as no process can be started. */
    Optional<HeldOff> trouble() {
        var figures = pool.figures();
        return figures.isHopeless()
                ? Optional.of(new HeldOff("no process can be started for calls: " + figures.lastError(), lastError))
                : Optional.empty();
    }

    List<Reading> readings() {
        return figures().readings();
    }

    /** Ends every process and every call that waits for one. */
    void close(Failure why) {
        pool.close(why);
    }
}
