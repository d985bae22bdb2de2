package io.mcpbridge.engine.pipeline;

import io.mcpbridge.call.AttemptTracer;
import io.mcpbridge.call.Call;
import io.mcpbridge.call.CallTracer;
import io.mcpbridge.call.Caller;
import io.mcpbridge.call.Cancellation;
import io.mcpbridge.call.Deadline;
import io.mcpbridge.call.IdempotencyKey;
import io.mcpbridge.call.MessageHeaders;
import io.mcpbridge.call.Outcome;
import io.mcpbridge.call.Reply;
import io.mcpbridge.call.RequestOrigin;
import io.mcpbridge.engine.pipeline.RecoveryPolicy.Cause;
import io.mcpbridge.engine.pipeline.RecoveryPolicy.Rejection;
import io.mcpbridge.engine.pipeline.RecoveryPolicy.Remedy;
import io.mcpbridge.failure.ErrorCode;
import io.mcpbridge.failure.Failure;
import io.mcpbridge.message.Message;
import io.mcpbridge.message.Request;
import io.mcpbridge.spi.CallContext;
import java.util.EnumSet;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicIntegerFieldUpdater;
import java.util.concurrent.atomic.AtomicReferenceFieldUpdater;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * The one {@link CallContext}: a client's request, or an attempt of one, with all that the stages know of it.
 *
 * <p>{@link Pipeline} makes one for each request, stages make its attempts. What a stage sets holds for the stages that
 * follow, to which the call is passed on; the end, the hooks and the counters are for any thread.
 */
public final class PipelineCall implements CallContext {
    /** Field updaters instead of atomic objects, since each call would have several of these. */
    private static final AtomicReferenceFieldUpdater<PipelineCall, Hook> HOOKS =
            AtomicReferenceFieldUpdater.newUpdater(PipelineCall.class, Hook.class, "hooks");

    private static final AtomicReferenceFieldUpdater<PipelineCall, Listener> LISTENERS =
            AtomicReferenceFieldUpdater.newUpdater(PipelineCall.class, Listener.class, "listeners");

    private static final AtomicReferenceFieldUpdater<PipelineCall, Destination> DESTINATION =
            AtomicReferenceFieldUpdater.newUpdater(PipelineCall.class, Destination.class, "destination");

    private static final AtomicIntegerFieldUpdater<PipelineCall> ATTEMPTS =
            AtomicIntegerFieldUpdater.newUpdater(PipelineCall.class, "attempts");

    /** As its client made it. */
    private final Call start;

    /** Receives notifications, and of a client's request the outcome. */
    private final Reply reply;

    /** The client's request; this call, unless it is an attempt. */
    private final PipelineCall root;

    private final System.Logger logger;
    private final Cancellation cancellation;
    private Request request;
    private Caller caller;
    private Deadline deadline;
    private CallTracer watch = CallTracer.NONE;
    private AttemptTracer attempt = AttemptTracer.NONE;
    private @Nullable IdempotencyKey key;
    private volatile @Nullable Destination destination;
    private volatile int attempts;

    /** The causes for which the client's request was sent again; its attempts follow one another. */
    private volatile Set<Cause> recovered = Set.of();

    private volatile @Nullable Rejection rejection;

    /** The latest first; {@link Ended} when the call has ended. */
    private volatile @Nullable Hook hooks;

    private volatile @Nullable Listener listeners;

    /** A client's request, whose outcome and notifications {@code reply} receives. */
    public PipelineCall(Call start, Reply reply, System.Logger logger) {
        this.start = start;
        this.reply = reply;
        this.root = this;
        this.logger = logger;
        this.cancellation = start.cancellation();
        this.request = start.request();
        this.caller = start.caller();
        this.deadline = start.deadline();
        this.key = start.idempotencyKey().orElse(null);
    }

    private PipelineCall(PipelineCall of, Cancellation own) {
        this.start = of.start;
        this.reply = of;
        this.root = of.root;
        this.logger = of.logger;
        this.cancellation = own;
        this.request = of.request;
        this.caller = of.caller;
        this.deadline = of.deadline;
        this.key = of.key;
        this.destination = of.destination;
    }

    /** The same, as the stages of the engine see it; stages receive no other contexts than those that the engine makes. */
    public static PipelineCall of(CallContext call) {
        if (call instanceof PipelineCall own) {
            return own;
        }
        throw new IllegalArgumentException(
                "a stage passed on a call of its own, %s; it must pass on the call that it received, or an attempt of it"
                        .formatted(call.getClass().getName()));
    }

    @Override
    public PipelineCall newAttempt(Cancellation own) {
        return new PipelineCall(this, own);
    }

    /**
     * The same; {@code then} decides at the end of the attempt how this call continues. What it throws ends this call, which
     * otherwise would never end.
     */
    public PipelineCall newAttempt(Cancellation own, Consumer<Outcome> then) {
        var made = newAttempt(own);
        made.register(new Hook() {
            @Override
            Outcome before(Outcome outcome) {
                try {
                    then.accept(outcome);
                } catch (RuntimeException | LinkageError defect) {
                    fail(defect);
                }
                return outcome;
            }
        });
        return made;
    }

    /** Runs a step outside of the stages, such as one after a pause. What it throws ends the call. */
    public void run(Runnable step) {
        try {
            step.run();
        } catch (RuntimeException | LinkageError defect) {
            fail(defect);
        }
    }

    @Override
    public void onComplete(Consumer<Outcome> action) {
        register(new Hook() {
            @Override
            Outcome before(Outcome outcome) {
                action.accept(outcome);
                return outcome;
            }
        });
    }

    /** Runs as the actions of {@link #onComplete} do; those registered earlier and the caller receive what it returns. */
    public void mapOutcome(UnaryOperator<Outcome> change) {
        register(new Hook() {
            @Override
            Outcome before(Outcome outcome) {
                try {
                    return change.apply(outcome);
                } catch (RuntimeException | LinkageError defect) {
                    log(defect);
                    return failed(defect);
                }
            }
        });
    }

    @Override
    public void afterComplete(Runnable action) {
        register(new Hook() {
            @Override
            void after() {
                action.run();
            }
        });
    }

    private void register(Hook hook) {
        do {
            hook.next = hooks;
            if (hook.next instanceof Ended end) {
                var unused = before(hook, end.outcome);
                after(hook);
                return;
            }
        } while (!HOOKS.compareAndSet(this, hook.next, hook));
    }

    @Override
    public void complete(Outcome outcome) {
        end(new Ended(outcome, false));
    }

    private void end(Ended end) {
        Hook top;
        do {
            top = hooks;
            if (top instanceof Ended) {
                return;
            }
        } while (!HOOKS.compareAndSet(this, top, end));
        var last = end.outcome;
        for (var hook = top; hook != null; hook = hook.next) {
            last = before(hook, last);
        }
        if (root == this) {
            try {
                reply.done(last);
            } catch (RuntimeException | LinkageError defect) {
                log(defect);
            }
        }
        for (var hook = top; hook != null; hook = hook.next) {
            after(hook);
        }
    }

    private Outcome before(Hook hook, Outcome outcome) {
        try {
            return hook.before(outcome);
        } catch (RuntimeException | LinkageError defect) {
            log(defect);
            return outcome;
        }
    }

    private void after(Hook hook) {
        try {
            hook.after();
        } catch (RuntimeException | LinkageError defect) {
            log(defect);
        }
    }

    /** Ends the call because a stage threw {@code defect}; such a call is not tried again. */
    void fail(Throwable defect) {
        log(defect);
        end(new Ended(failed(defect), true));
    }

    /** Whether it ended because a stage or a step of it threw something. */
    public boolean isDefect() {
        return hooks instanceof Ended end && end.isDefect;
    }

    private void log(Throwable defect) {
        logger.log(System.Logger.Level.ERROR, "[mcp-bridge] call " + correlationId() + " met a defect", defect);
    }

    private static Outcome failed(Throwable defect) {
        return Outcome.failed(Failure.of(ErrorCode.INTERNAL_ERROR, "the bridge failed on this call: " + defect)
                .withCause(defect));
    }

    /** Whether it has its outcome. */
    public boolean isEnded() {
        return hooks instanceof Ended;
    }

    @Override
    public void onEvent(Consumer<Message> action) {
        var listener = new Listener(action);
        do {
            listener.next = listeners;
        } while (!LISTENERS.compareAndSet(this, listener.next, listener));
    }

    @Override
    public void event(Message progressOrLog) {
        if (isEnded()) {
            return;
        }
        for (var listener = listeners; listener != null; listener = listener.next) {
            tell(listener.action, progressOrLog);
        }
        tell(reply::event, progressOrLog);
    }

    private void tell(Consumer<Message> listener, Message progressOrLog) {
        try {
            listener.accept(progressOrLog);
        } catch (RuntimeException | LinkageError defect) {
            log(defect);
        }
    }

    @Override
    public void onHold(Consumer<Deadline> action) {
        deadline = deadline.watched(action);
    }

    /** Lets the call end no later than this; for the stages that follow. */
    void deadline(Deadline earlier) {
        deadline = earlier;
    }

    /** Has the stages that follow see this request. */
    public void request(Request changed) {
        request = changed;
    }

    /** Has the server see this caller. */
    public void caller(Caller inPlace) {
        caller = inPlace;
    }

    void key(IdempotencyKey ofAttempts) {
        key = ofAttempts;
    }

    void watch(CallTracer observing) {
        watch = observing;
    }

    void attempt(AttemptTracer observing) {
        attempt = observing;
    }

    /** Says where the request leads, once; false if that is decided already. */
    boolean resolve(Destination where) {
        return DESTINATION.compareAndSet(this, null, where);
    }

    /** Where the request leads. */
    public Destination destination() {
        var where = destination;
        if (where == null) {
            throw new IllegalStateException("the call of '%s' has no destination yet".formatted(request.method()));
        }
        return where;
    }

    /** A server is tried once more for the client's request. */
    void countAttempt() {
        ATTEMPTS.incrementAndGet(root);
    }

    /** How often a server was tried for the client's request. */
    int attempts() {
        return root.attempts;
    }

    /** The server rejected this attempt because of something the bridge assumed; the failure of the attempt follows. */
    public void rejected(Cause cause, Remedy remedy) {
        rejection = new Rejection(cause, remedy);
    }

    /** Why the server rejected this attempt, if it did. */
    @Nullable
    Rejection rejection() {
        return rejection;
    }

    /** The causes for which the client's request was sent again. */
    Set<Cause> recovered() {
        return root.recovered;
    }

    /** The client's request is sent again for this cause. */
    void recover(Cause cause) {
        var causes = EnumSet.of(cause);
        causes.addAll(root.recovered);
        root.recovered = causes;
    }

    @Override
    public Request request() {
        return request;
    }

    @Override
    public Caller caller() {
        return caller;
    }

    @Override
    public String correlationId() {
        return start.correlationId();
    }

    @Override
    public Deadline deadline() {
        return deadline;
    }

    @Override
    public Cancellation cancellation() {
        return cancellation;
    }

    @Override
    public MessageHeaders headers() {
        return start.headers();
    }

    @Override
    public RequestOrigin arrival() {
        return start.arrival();
    }

    @Override
    public boolean callerWaits() {
        return start.callerWaits();
    }

    @Override
    public Optional<IdempotencyKey> idempotencyKey() {
        return Optional.ofNullable(key);
    }

    @Override
    public Optional<String> exposedName() {
        return Optional.ofNullable(destination).map(Destination::exposedName);
    }

    @Override
    public CallTracer watch() {
        return root.watch;
    }

    @Override
    public AttemptTracer attempt() {
        return attempt;
    }

    /** What runs at the end, and what was registered before it. */
    private static class Hook {
        private @Nullable Hook next;

        /** Returns the outcome for those that were registered earlier and for the caller. */
        Outcome before(Outcome outcome) {
            return outcome;
        }

        void after() {}
    }

    /** Stands in place of the hooks when they have been taken to be run. */
    private static final class Ended extends Hook {
        private final Outcome outcome;
        private final boolean isDefect;

        private Ended(Outcome outcome, boolean isDefect) {
            this.outcome = outcome;
            this.isDefect = isDefect;
        }
    }

    private static final class Listener {
        private final Consumer<Message> action;
        private @Nullable Listener next;

        private Listener(Consumer<Message> action) {
            this.action = action;
        }
    }
}
