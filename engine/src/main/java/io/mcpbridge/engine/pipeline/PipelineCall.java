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
import io.mcpbridge.failure.Delivery;
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
 * The implementation of {@link CallContext}: a client's request or one attempt of it, with the state that stages attach
 * to it.
 *
 * <p>{@link Pipeline} creates one for each request; stages create its attempts. A value that a stage sets is visible to
 * the stages that follow. Any thread may end a call, register hooks and use the counters.
 */
public final class PipelineCall implements CallContext {
    /** Field updaters, since each call would need several atomic objects. */
    private static final AtomicReferenceFieldUpdater<PipelineCall, Hook> HOOKS =
            AtomicReferenceFieldUpdater.newUpdater(PipelineCall.class, Hook.class, "hooks");

    private static final AtomicReferenceFieldUpdater<PipelineCall, Listener> LISTENERS =
            AtomicReferenceFieldUpdater.newUpdater(PipelineCall.class, Listener.class, "listeners");

    private static final AtomicReferenceFieldUpdater<PipelineCall, Destination> DESTINATION =
            AtomicReferenceFieldUpdater.newUpdater(PipelineCall.class, Destination.class, "destination");

    private static final AtomicIntegerFieldUpdater<PipelineCall> ATTEMPTS =
            AtomicIntegerFieldUpdater.newUpdater(PipelineCall.class, "attempts");

    /** The call as its client sent it. */
    private final Call start;

    /** Receives the notifications and the outcome. */
    private final Reply reply;

    /** The client's request; this call, unless it is an attempt. */
    private final PipelineCall root;

    private final System.Logger logger;
    private final Cancellation cancellation;
    private Request request;
    private Caller caller;
    private Deadline deadline;
    private CallTracer tracer = CallTracer.NONE;
    private AttemptTracer attempt = AttemptTracer.NONE;
    private @Nullable IdempotencyKey key;
    private volatile @Nullable Destination destination;
    private volatile int attempts;

    /** The causes for which the client's request was sent again. Needs no lock, since its attempts are sequential. */
    private volatile Set<Cause> recovered = Set.of();

    private volatile @Nullable Rejection rejection;

    private volatile boolean isUnchecked;
    private volatile boolean isLogged;

    /** The hooks, the latest first; {@link Ended} when the call has ended. */
    private volatile @Nullable Hook hooks;

    private volatile @Nullable Listener listeners;

    /** Creates the call of a client's request, whose outcome and notifications {@code reply} receives. */
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

    private PipelineCall(PipelineCall of, Cancellation own, Consumer<Outcome> then) {
        this.start = of.start;
        this.reply = of.new AttemptReply(then);
        this.root = of.root;
        this.logger = of.logger;
        this.cancellation = own;
        this.request = of.request;
        this.caller = of.caller;
        this.deadline = of.deadline;
        this.key = of.key;
        this.destination = of.destination;
    }

    /** Returns the context as the type of the engine; throws if a stage created the context itself. */
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
        return newAttempt(own, outcome -> {});
    }

    /**
     * The same; {@code then} decides at the end of the attempt how this call continues. What it throws ends this call,
     * which otherwise would never end.
     */
    public PipelineCall newAttempt(Cancellation own, Consumer<Outcome> then) {
        return new PipelineCall(this, own, then);
    }

    /** Runs a step outside of the stages, such as one after a pause. An exception ends the call. */
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

    /**
     * Runs as the actions of {@link #onComplete} do; those registered earlier and the caller receive what it returns.
     */
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
        try {
            reply.complete(last);
        } catch (RuntimeException | LinkageError defect) {
            log(defect);
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

    /** Ends the call because a stage threw {@code defect}; it is not retried. */
    void fail(Throwable defect) {
        log(defect);
        end(new Ended(failed(defect), true));
    }

    /** Whether it ended because a stage or a step threw an exception. */
    public boolean isDefect() {
        return hooks instanceof Ended end && end.isDefect;
    }

    private void log(Throwable defect) {
        logger.log(System.Logger.Level.ERROR, "[mcp-bridge] call " + correlationId() + " met a defect", defect);
    }

    /** The server may have the request. */
    private static Outcome failed(Throwable defect) {
        return Outcome.failed(Failure.of(ErrorCode.INTERNAL_ERROR, "the bridge failed on this call: " + defect)
                .withDelivery(Delivery.UNKNOWN)
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
            deliver(listener.action, progressOrLog);
        }
        deliver(reply::event, progressOrLog);
    }

    private void deliver(Consumer<Message> listener, Message progressOrLog) {
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

    /** Sets an earlier deadline for the stages that follow. */
    void deadline(Deadline earlier) {
        deadline = earlier;
    }

    /** Replaces the request for the stages that follow. */
    public void request(Request changed) {
        request = changed;
    }

    /** Replaces the caller that the server sees. */
    public void caller(Caller inPlace) {
        caller = inPlace;
    }

    void key(IdempotencyKey ofAttempts) {
        key = ofAttempts;
    }

    void watch(CallTracer newTracer) {
        tracer = newTracer;
    }

    void attempt(AttemptTracer observing) {
        attempt = observing;
    }

    /** Sets the destination, once; returns false if it is set already. */
    boolean resolve(Destination where) {
        return DESTINATION.compareAndSet(this, null, where);
    }

    /** Returns the destination of the request. */
    public Destination destination() {
        var where = destination;
        if (where == null) {
            throw new IllegalStateException("the call of '%s' has no destination yet".formatted(request.method()));
        }
        return where;
    }

    /** Counts an attempt of the client's request. */
    void countAttempt() {
        ATTEMPTS.incrementAndGet(root);
    }

    /** Returns the number of attempts of the client's request. */
    int attempts() {
        return root.attempts;
    }

    /**
     * Notes that the client's request passed the schema check unchecked, since the server could not list its tools then.
     */
    public void markUnchecked() {
        root.isUnchecked = true;
    }

    /** Whether the client's request still has to be checked before an attempt of it is sent. */
    public boolean isUnchecked() {
        return root.isUnchecked;
    }

    /** Notes that the failure of the client's request is logged. */
    void markLogged() {
        root.isLogged = true;
    }

    boolean isLogged() {
        return root.isLogged;
    }

    /**
     * Notes that the server rejected this attempt because of a wrong assumption of the bridge; the failure of the
     * attempt follows.
     */
    public void rejected(Cause cause, Remedy remedy) {
        rejection = new Rejection(cause, remedy);
        if (reply instanceof AttemptReply outer) {
            // A stage behind the retries may have made an attempt of the attempt.
            outer.rejected(cause, remedy);
        }
    }

    /** Returns why the server rejected this attempt; null if it did not. */
    @Nullable
    Rejection rejection() {
        return rejection;
    }

    /** Returns the causes for which the client's request was sent again. */
    Set<Cause> recovered() {
        return root.recovered;
    }

    /** Notes that the client's request is sent again for this cause. */
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
    public RequestOrigin origin() {
        return start.origin();
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
    public CallTracer tracer() {
        return root.tracer;
    }

    @Override
    public AttemptTracer attemptTracer() {
        return attempt;
    }

    /** Continues this call at the end of one of its attempts. */
    private final class AttemptReply implements Reply {
        private final Consumer<Outcome> then;

        private AttemptReply(Consumer<Outcome> then) {
            this.then = then;
        }

        @Override
        public void complete(Outcome outcome) {
            try {
                then.accept(outcome);
            } catch (RuntimeException | LinkageError defect) {
                fail(defect);
            }
        }

        @Override
        public void event(Message progressOrLog) {
            PipelineCall.this.event(progressOrLog);
        }

        private void rejected(Cause cause, Remedy remedy) {
            PipelineCall.this.rejected(cause, remedy);
        }
    }

    /** An action to run at the end of the call, linked to the one registered before it. */
    private static class Hook {
        private @Nullable Hook next;

        /** Returns the outcome for the hooks registered earlier and for the caller. */
        Outcome before(Outcome outcome) {
            return outcome;
        }

        void after() {}
    }

    /** Replaces the hooks once they have been taken to be run. */
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
