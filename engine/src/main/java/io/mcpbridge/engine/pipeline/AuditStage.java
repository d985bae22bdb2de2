package io.mcpbridge.engine.pipeline;

import io.mcpbridge.call.Call;
import io.mcpbridge.call.CallWait;
import io.mcpbridge.call.CancelReason;
import io.mcpbridge.call.Outcome;
import io.mcpbridge.call.Timekeeper;
import io.mcpbridge.failure.ErrorCode;
import io.mcpbridge.failure.Failure;
import io.mcpbridge.internal.json.JsonCodec;
import io.mcpbridge.message.CanonicalJson;
import io.mcpbridge.message.Message;
import io.mcpbridge.message.MessageField;
import io.mcpbridge.message.Methods;
import io.mcpbridge.message.Request;
import io.mcpbridge.spi.AuditMode;
import io.mcpbridge.spi.AuditSink.AuditedCall;
import io.mcpbridge.spi.AuditSink.ToolEnter;
import io.mcpbridge.spi.AuditSink.ToolExit;
import io.mcpbridge.spi.CallContext;
import io.mcpbridge.spi.CallStage;
import io.mcpbridge.spi.CallStage.Next;
import io.mcpbridge.spi.Completion;
import io.mcpbridge.spi.Environment;
import io.mcpbridge.spi.Measurement;
import java.time.Duration;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;

/**
 * Writes one pair of records for each request of a client that is forwarded, however often its server is tried, and
 * also where the answer comes from a cache.
 *
 * <p>Where records are required, a call is suspended until its record is durable: no thread waits. Any thread may use it.
 */
public final class AuditStage implements CallStage, ResolveStage.Unresolved {
    /** How long a call may be suspended for each of its records. */
    private static final Duration MAX_WAIT = Duration.ofSeconds(1);

    private final AuditMode mode;
    private final SinkGuard sink;
    private final DenialRecorder denials;
    private final Timekeeper timekeeper;
    private final Executor threads;
    private final OpenQuestions questions = new OpenQuestions();

    /**
     * Where records go.
     *
     * @param denials records the calls that are rejected before this stage
     */
    public record Records(SinkGuard sink, DenialRecorder denials) {}

    /**
     * The stage of one bridge.
     *
     * @param mode any but {@link AuditMode#OFF}, for which there should be no stage
     * @param threads resume calls whose records became durable, so that the sink keeps its own threads
     */
    public AuditStage(AuditMode mode, Records records, Environment environment, Executor threads) {
        this.mode = mode;
        this.sink = records.sink();
        this.denials = records.denials();
        this.timekeeper = environment.timekeeper();
        this.threads = threads;
    }

    @Override
    public void handle(CallContext context, Next next) {
        var call = PipelineCall.of(context);
        if (!DenialRecorder.isAudited(call.request())) {
            next.handle(call);
            return;
        }
        var recording = new Recording(call, call.destination().audited(call));
        if (isRequired(call)) {
            // The call is passed on when its beginning is durable, and its outcome when its end is, or cannot be made
            // so.
            recording.new Entering(next).begin();
            return;
        }
        sink.enter(recording.entering());
        call.onComplete(recording::recordEnd);
        next.handle(call);
    }

    private boolean isRequired(PipelineCall call) {
        return mode == AuditMode.REQUIRED
                || (mode == AuditMode.REQUIRED_FOR_CHANGES
                        && call.request().method().equals(Methods.TOOLS_CALL)
                        && !call.destination().hints().get().believed().readOnly());
    }

    @Override
    public void rejected(PipelineCall call, Outcome outcome) {
        denials.denied(call, outcome);
    }

    @Override
    public void withdrawn(PipelineCall call, Outcome outcome) {
        if (DenialRecorder.isAudited(call.request())) {
            var recording = new Recording(call, denials.describe(call));
            sink.enter(recording.entering());
            sink.exit(recording.exit(outcome));
        }
    }

    @Override
    public List<Measurement> readings() {
        return sink.readings();
    }

    /** The raw JSON of the arguments. */
    private static String arguments(Request request) {
        if (request.method().equals(Methods.COMPLETION_COMPLETE)) {
            return JsonCodec.rawMembers(request.raw(MessageField.PARAMS).orElse("{}"))
                    .getOrDefault("argument", "{}");
        }
        return request.raw(MessageField.ARGUMENTS).orElse("{}");
    }

    /** The pair of records of one call. */
    private final class Recording {
        private final PipelineCall call;
        private final AuditedCall audited;
        private final long since;

        private Recording(PipelineCall call, AuditedCall audited) {
            this.call = call;
            this.audited = audited;
            this.since = timekeeper.nanoTime();
        }

        private void recordEnd(Outcome outcome) {
            questions.ended(call, outcome);
            sink.exit(exit(outcome));
        }

        private void recordEndDurably(Outcome outcome) {
            questions.ended(call, outcome);
            var wait = new AwaitDurable("exit", () -> call.complete(outcome), why -> call.complete(outcome));
            wait.begin(durable -> sink.exit(exit(outcome), durable), MAX_WAIT);
        }

        private ToolEnter entering() {
            return new ToolEnter(audited, arguments(call.request()), questions.before(call), since);
        }

        private ToolExit exit(Outcome outcome) {
            var duration = Duration.ofNanos(timekeeper.nanoTime() - since);
            return new ToolExit(audited, duration, call.attempts(), outcome);
        }

        /** The time until the beginning is durable, which a cancellation ends too. */
        private final class Entering {
            private final Next next;
            private final AwaitDurable wait = new AwaitDurable("enter", this::safe, this::unsafe);

            private Entering(Next next) {
                this.next = next;
            }

            private void begin() {
                wait.begin(durable -> sink.enter(entering(), durable), maxWait());
                if (!wait.end.isOver()) {
                    var link = call.cancellation().onCancel(this::withdrawn);
                    wait.end.releasing(() -> {
                        wait.alarm.cancel();
                        link.remove();
                    });
                }
            }

            private Duration maxWait() {
                var remaining = call.deadline().remaining();
                return remaining.compareTo(MAX_WAIT) < 0 ? remaining : MAX_WAIT;
            }

            /** The call's own end has to wait for its record, so what is passed on ends by itself. */
            private void safe() {
                next.handle(call.newAttempt(call.cancellation(), Recording.this::recordEndDurably));
            }

            private void unsafe(Throwable why) {
                var words = "'%s' of '%s' was not sent, since the audit that it requires cannot record it: %s";
                endUnsent(Failure.of(
                                ErrorCode.AUDIT_UNAVAILABLE,
                                words.formatted(audited.method(), audited.tool(), kind(why)))
                        .withCause(why));
            }

            /** All that a client may know; the log and {@code health} have the rest. */
            private String kind(Throwable why) {
                return why instanceof TimeoutException
                        ? "its record was not safe in time"
                        : "its record was not kept; the operator finds more in 'health'";
            }

            private void withdrawn(CancelReason reason) {
                if (wait.end.end()) {
                    var words = "'%s' was withdrawn before it was recorded and sent: %s";
                    endUnsent(Failure.of(reason.code(), words.formatted(audited.method(), reason.text())));
                }
            }

            /** The call never left: its end is recorded, but not waited for. */
            private void endUnsent(Failure why) {
                var outcome = Outcome.failed(why.withServer(audited.server()));
                sink.exit(exit(outcome));
                call.complete(outcome);
            }
        }

        /**
         * Suspends the call until one record is durable. Ends once: when the sink says so or that it is not, when it takes
         * too long, or when the wait is given up.
         */
        private final class AwaitDurable implements Completion {
            private final String what;
            private final Runnable safe;
            private final Consumer<Throwable> unsafe;
            private final Thread caller = Thread.currentThread();
            private final CallWait end = new CallWait();
            private Timekeeper.Alarm alarm = () -> {};

            /** Only the caller's own thread reads it. */
            private boolean isHandingOver = true;

            private AwaitDurable(String what, Runnable safe, Consumer<Throwable> unsafe) {
                this.what = what;
                this.safe = safe;
                this.unsafe = unsafe;
            }

            /** Hands the record over, and waits for no longer than {@code maxWait}. */
            private void begin(Consumer<Completion> record, Duration maxWait) {
                record.accept(this);
                isHandingOver = false;
                if (!end.isOver()) {
                    alarm = timekeeper.schedule(maxWait, () -> late(maxWait));
                    end.releasing(alarm::cancel);
                }
            }

            private void late(Duration maxWait) {
                failed(new TimeoutException("it was not safe within %d ms".formatted(maxWait.toMillis())));
            }

            @Override
            public void succeeded() {
                // A record that is durable too late shows as well that the sink works.
                sink.kept();
                if (end.end()) {
                    resume(safe);
                }
            }

            @Override
            public void failed(Throwable why) {
                if (end.end()) {
                    sink.failed(what, why);
                    resume(() -> unsafe.accept(why));
                }
            }

            /** At once if the sink was done before it returned; else on another thread, since the sink needs its own. */
            private void resume(Runnable action) {
                if (isHandingOver && Thread.currentThread() == caller) {
                    action.run();
                    return;
                }
                try {
                    threads.execute(action);
                } catch (RejectedExecutionException ending) {
                    action.run();
                }
            }
        }
    }

    /**
     * The calls whose clients were asked something: the {@code requestState} of the question comes back with the answer. The
     * latest questions are known, by a digest of their state.
     */
    private static final class OpenQuestions {
        /** How many questions are known. */
        private static final int MAX_QUESTIONS = 4_096;

        /** Locks itself; the oldest come first. */
        private final Map<String, String> asked = Collections.synchronizedMap(new LinkedHashMap<>() {
            @Override
            protected boolean removeEldestEntry(Map.Entry<String, String> eldest) {
                return size() > MAX_QUESTIONS;
            }
        });

        /** Remembers the call if its client is asked something. */
        void ended(Call call, Outcome outcome) {
            if (outcome instanceof Outcome.Answered answered) {
                state(answered.response(), MessageField.RESULT_STATE)
                        .ifPresent(state -> asked.put(key(call, state), call.correlationId()));
            }
        }

        /** The correlation id of the call that asked what this one answers, or the empty string. */
        String before(Call call) {
            return state(call.request(), MessageField.REQUEST_STATE)
                    .map(state -> asked.get(key(call, state)))
                    .orElse("");
        }

        private static Optional<String> state(Message message, MessageField part) {
            return message.has(part) ? message.text(part).or(() -> message.raw(part)) : Optional.empty();
        }

        private static String key(Call call, String state) {
            var principal = call.caller().principal();
            return CanonicalJson.EXACT.sha256(List.of(principal.proof(), principal.name(), state));
        }
    }
}
