package io.mcpbridge.engine.upstream.isolated;

import io.mcpbridge.call.Call;
import io.mcpbridge.call.Caller;
import io.mcpbridge.call.CancelReason;
import io.mcpbridge.call.Outcome;
import io.mcpbridge.config.IsolationSettings.ExecutionLimits;
import io.mcpbridge.config.ServerSettings;
import io.mcpbridge.engine.pipeline.PipelineCall;
import io.mcpbridge.engine.upstream.affinity.SessionKey;
import io.mcpbridge.engine.upstream.connection.CallQueueLimit.QueuedCall;
import io.mcpbridge.engine.upstream.connection.ToolCallCheck.Arrival;
import io.mcpbridge.engine.upstream.connection.UpstreamContext;
import io.mcpbridge.engine.upstream.isolated.SingleUseProcess.Kind;
import io.mcpbridge.engine.upstream.isolated.SingleUseProcess.ResumeKey;
import io.mcpbridge.failure.Delivery;
import io.mcpbridge.failure.ErrorCode;
import io.mcpbridge.failure.Failure;
import io.mcpbridge.message.Era;
import io.mcpbridge.message.MessageField;
import io.mcpbridge.message.Response;
import io.mcpbridge.spi.CallContext;
import io.mcpbridge.spi.CallStage.Next;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Runs each tool call of one server in its own process and session, from a {@link SingleUseProcessPool}. Any thread may
 * use it; only {@link #close} waits.
 *
 * <p>It is the last handler of such a call, behind all stages: each attempt has another process, and a call that is
 * answered from the cache or together with another call has none. A call keeps one place in the queue of its server
 * until it is written, whatever it waits for: the list of tools, a place in the pool, the start of a process.
 *
 * <p>The process ends after the caller has received the outcome. It is killed where the server gave no answer, since it
 * may still run the call. While the client is asked for input, the process stays: in the legacy era the call is still
 * under way; in the modern era the pool reserves it for {@link #RESERVATION} under its {@code requestState}, unless
 * other calls need the place. Where the catalog is strict, each process lists its tools when it starts, and a call is
 * not sent to a process that lists its tool differently.
 */
public final class ProcessPerCall implements Next {
    /** How long the process of a modern server waits for the next round of its call. */
    static final Duration RESERVATION = Duration.ofMinutes(10);

    private static final String INPUT_REQUIRED = "input_required";

    private final UpstreamContext context;
    private final ServerSettings settings;
    private final SingleUseProcessPool pool;

    /** Starts no process yet. */
    public ProcessPerCall(UpstreamContext context, SingleUseProcess.Factory processes) {
        this.context = context;
        this.settings = context.parts().settings();
        this.pool = new SingleUseProcessPool(settings, context.environment(), processes);
    }

    /** Starts processes for calls of this caller that may come. */
    public void warmUp(Caller caller) {
        pool.warmUp(new Kind(key(caller), settings.execution().maxMemoryMb()), caller);
    }

    @Override
    public void handle(CallContext attempt) {
        enter(PipelineCall.of(attempt), context.admission().lastChange(attempt));
    }

    private void enter(PipelineCall attempt, long change) {
        var place = context.queue().enter(why -> attempt.complete(Outcome.failed(why)));
        if (place == null) {
            return;
        }
        var admission = context.admission();
        if (!admission.admits(attempt, change)) {
            admission.listOrReject(new Arrival(attempt, attempt, change), place, () -> enter(attempt, change));
            return;
        }
        var call = new IsolatedCall(attempt, new QueuedCall(settings.name(), attempt, attempt, place));
        pool.acquire(call);
        call.watch();
    }

    /** Requests to a modern server say what their client can be asked, so all its clients share one key. */
    private SessionKey key(Caller caller) {
        var key = SessionKey.of(caller, settings);
        var isModern = context.eras().known().filter(Era.MODERN::equals).isPresent();
        return isModern ? new SessionKey(key.principal(), "", 0) : key;
    }

    /** The state of the processes now. */
    public ProcessPoolStatus status() {
        return pool.status();
    }

    /** Ends all processes, and rejects the calls that wait for one. */
    public void close(Failure why) {
        pool.close(why);
    }

    /** One attempt of a call: waits for a process, runs in it, and then releases, reserves or kills it. */
    private final class IsolatedCall implements SingleUseProcess.Waiter {
        private final PipelineCall call;
        private final QueuedCall queued;
        private final String tool;
        private volatile @Nullable Outcome outcome;

        private IsolatedCall(PipelineCall call, QueuedCall queued) {
            this.call = call;
            this.queued = queued;
            this.tool = call.request().text(MessageField.NAME).orElse("");
        }

        private ExecutionLimits limits() {
            return settings.tool(tool).execution();
        }

        @Override
        public Kind kind() {
            return new Kind(key(call.caller()), limits().maxMemoryMb());
        }

        @Override
        public Caller caller() {
            return call.caller();
        }

        @Override
        public Optional<ResumeKey> resumeKey() {
            return call.request().text(MessageField.REQUEST_STATE).map(this::resumeKey);
        }

        private ResumeKey resumeKey(String state) {
            return new ResumeKey(caller().principal(), tool, state);
        }

        /** Ends the call when it is cancelled while it waits. */
        private void watch() {
            queued.watch(() -> pool.leave(this), reason -> cancelled(reason, pool.status()));
        }

        private Failure cancelled(CancelReason reason, ProcessPoolStatus status) {
            var server = settings.name();
            var millis = call.deadline().span().toMillis();
            if (reason == CancelReason.TIMED_OUT && !status.unready().isEmpty()) {
                var words = "no process of server '%s' became ready for the call within %d ms: %s";
                return Failure.of(ErrorCode.PROVIDER_INIT_FAILED, words.formatted(server, millis, status.unready()));
            }
            if (reason == CancelReason.TIMED_OUT && status.size() >= status.max()) {
                var words = "no process of server '%s' was free for the call within %d ms; there are %d, which is the"
                        + " limit 'pool.max', and %d calls wait; try again later";
                return Failure.of(
                        ErrorCode.OVERLOADED, words.formatted(server, millis, status.max(), status.waiting()));
            }
            var words = "the call waited for a process of server '%s' and was withdrawn: %s";
            return Failure.of(reason.code(), words.formatted(server, reason.text()));
        }

        @Override
        public void reject(Failure why) {
            queued.fail(why);
        }

        @Override
        public boolean accept(SingleUseProcess process) {
            if (!queued.claim()) {
                return false;
            }
            var unlike = context.admission().unlike(call, process.tools());
            if (unlike.isPresent()) {
                try {
                    queued.end(unlike.get());
                } finally {
                    pool.discard(process);
                }
            } else {
                run(process);
            }
            return true;
        }

        private void run(SingleUseProcess process) {
            var limited = limited();
            var alarm = limited.deadline().alarm(() -> limited.cancellation().cancel(CancelReason.TIMED_OUT));
            call.afterComplete(() -> leave(process));
            call.mapOutcome(ended -> {
                alarm.cancel();
                outcome = ended;
                return ended instanceof Outcome.Failed failed ? Outcome.failed(reported(failed.failure())) : ended;
            });
            try {
                process.serve(limited, call, queued.place());
            } catch (RuntimeException defect) {
                queued.end(defect);
            }
        }

        private Call limited() {
            var deadline = call.deadline().within(limits().maxExecution());
            return deadline == call.deadline() ? call : call.withDeadline(deadline);
        }

        /** Without an answer the process may still run the call. */
        private void leave(SingleUseProcess process) {
            if (outcome instanceof Outcome.Answered answered) {
                nextState(answered.response())
                        .ifPresentOrElse(
                                state -> pool.reserve(process, resumeKey(state), RESERVATION),
                                () -> pool.release(process));
                return;
            }
            pool.kill(process);
            if (outcome instanceof Outcome.Failed failed && isLoss(failed.failure())) {
                context.timeouts().accept(failed.failure());
            }
        }

        private static Optional<String> nextState(Response response) {
            return response.text(MessageField.RESULT_TYPE)
                    .filter(INPUT_REQUIRED::equals)
                    .flatMap(type -> response.text(MessageField.RESULT_STATE));
        }

        private static Failure reported(Failure why) {
            if (why.code() == ErrorCode.PROVIDER_TIMEOUT) {
                return why.withMessage(why.message() + ", so its process was killed")
                        .withIsolated();
            }
            return isOfTheCall(why) ? why.withIsolated() : why;
        }

        /** Whether the process ended with the call, or broke the protocol. The connection reports time-outs itself. */
        private static boolean isLoss(Failure why) {
            return switch (why.code()) {
                case PROVIDER_CRASHED, PROVIDER_UNAVAILABLE, UPSTREAM_INVALID -> isOfTheCall(why);
                default -> false;
            };
        }

        /**
         * Whether the call itself can be the cause; a process that ended before the call reached it would fail for all.
         */
        private static boolean isOfTheCall(Failure why) {
            return why.delivery() != Delivery.NOT_SENT && why.serverError().isEmpty();
        }
    }
}
