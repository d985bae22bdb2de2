package io.mcpbridge.engine.pipeline;

import io.mcpbridge.call.Call;
import io.mcpbridge.call.CancelReason;
import io.mcpbridge.call.OneShotEnd;
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
import io.mcpbridge.spi.GaugeReading;
import java.time.Duration;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeoutException;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * Writes one pair of audit records for each forwarded client request, whatever the number of attempts, and also if the
 * response comes from a cache.
 *
 * <p>If records are required, a call is suspended until its record is durable; no thread waits. Any thread may use it.
 */
public final class AuditStage implements CallStage, ResolveStage.Unresolved {
    private static final Set<String> AUDITED =
            Set.of(Methods.TOOLS_CALL, Methods.RESOURCES_READ, Methods.PROMPTS_GET, Methods.COMPLETION_COMPLETE);

    private final AuditMode mode;
    private final SinkGuard sink;
    private final Records records;
    private final Timekeeper timekeeper;
    private final Executor threads;
    private final OpenQuestions questions = new OpenQuestions();

    /**
     * The receivers of the records.
     *
     * @param denied records the calls that are rejected before this stage
     * @param named describes a call by its request alone
     * @param maxWait how long a call may be suspended for each of its records
     */
    public record Records(
            SinkGuard sink, BiConsumer<Call, Outcome> denied, Function<Call, AuditedCall> named, Duration maxWait) {}

    /**
     * Creates the stage of one bridge.
     *
     * @param mode any except {@link AuditMode#OFF}, which needs no stage
     * @param threads resume calls whose records became durable, so that calls never occupy the threads of the sink
     */
    public AuditStage(AuditMode mode, Records records, Environment environment, Executor threads) {
        this.mode = mode;
        this.sink = records.sink();
        this.records = records;
        this.timekeeper = environment.timekeeper();
        this.threads = threads;
    }

    /**
     * Whether the audit records a request. It records tool calls, resource reads, prompts, completions and methods
     * outside of the specification; not lists or pings.
     */
    public static boolean isAudited(Request request) {
        return AUDITED.contains(request.method()) || !Methods.isKnown(request.method());
    }

    @Override
    public void handle(CallContext context, Next next) {
        var call = PipelineCall.of(context);
        if (!isAudited(call.request())) {
            next.handle(call);
            return;
        }
        var recording = new Recording(call, call.destination().audited(call));
        if (isRequired(call)) {
            // Passes the call on once its begin record is durable, and its outcome once its end record is durable or
            // has failed.
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
                        && !Methods.onlyReads(call.request().method())
                        && !call.destination().hints().get().believed().readOnly());
    }

    @Override
    public void rejected(PipelineCall call, Outcome outcome) {
        records.denied().accept(call, outcome);
    }

    @Override
    public void withdrawn(PipelineCall call, Outcome outcome) {
        if (isAudited(call.request())) {
            var recording = new Recording(call, records.named().apply(call));
            sink.enter(recording.entering());
            sink.exit(recording.exit(outcome));
        }
    }

    @Override
    public List<GaugeReading> readings() {
        return sink.readings();
    }

    /** The raw JSON of the arguments; all parameters of a method outside of the specification. */
    private static String arguments(Request request) {
        if (request.method().equals(Methods.COMPLETION_COMPLETE)) {
            return JsonCodec.rawMembers(request.raw(MessageField.PARAMS).orElse("{}"))
                    .getOrDefault("argument", "{}");
        }
        var part = Methods.isKnown(request.method()) ? MessageField.ARGUMENTS : MessageField.PARAMS;
        return request.raw(part).orElse("{}");
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
            wait.begin(durable -> sink.exit(exit(outcome), durable), records.maxWait());
        }

        private ToolEnter entering() {
            return new ToolEnter(audited, arguments(call.request()), questions.before(call), since);
        }

        private ToolExit exit(Outcome outcome) {
            var duration = Duration.ofNanos(timekeeper.nanoTime() - since);
            return new ToolExit(audited, duration, call.attempts(), outcome);
        }

        /** The wait until the begin record is durable; a cancellation ends it too. */
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
                return remaining.compareTo(records.maxWait()) < 0 ? remaining : records.maxWait();
            }

            /** Passes on a call whose outcome is held back until the end record is durable. */
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

            /** Returns the part of the cause that a client may see; the log and {@code health} have the rest. */
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

            /** Ends a call that was not sent; records its end without waiting for it. */
            private void endUnsent(Failure why) {
                var outcome = Outcome.failed(why.withServer(audited.server()));
                sink.exit(exit(outcome));
                call.complete(outcome);
            }
        }

        /**
         * Suspends the call until one record is durable. Ends once: with the result of the sink, with a time-out, or
         * with a cancellation.
         */
        private final class AwaitDurable implements Completion {
            private final String what;
            private final Runnable safe;
            private final Consumer<Throwable> unsafe;
            private final Thread caller = Thread.currentThread();
            private final OneShotEnd end = new OneShotEnd();
            private Timekeeper.Alarm alarm = () -> {};

            /** Accessed only by the thread that calls {@link #begin}. */
            private boolean isHandingOver = true;

            private AwaitDurable(String what, Runnable safe, Consumer<Throwable> unsafe) {
                this.what = what;
                this.safe = safe;
                this.unsafe = unsafe;
            }

            /** Hands the record to the sink and waits for at most {@code maxWait}. */
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
                // A late record still shows that the sink works.
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

            /**
             * Runs {@code action} in this thread if the sink finished before it returned; otherwise in another thread,
             * since the sink needs its own.
             */
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
     * The calls that ended with a request for input. Links the client's next request, which repeats the {@code
     * requestState}, to the call before it. Keeps the latest questions, by a digest of their state.
     */
    private static final class OpenQuestions {
        /** The largest number of questions that are kept. */
        private static final int MAX_QUESTIONS = 4_096;

        /** Locks itself; the oldest come first. */
        private final Map<String, String> asked = Collections.synchronizedMap(new LinkedHashMap<>() {
            @Override
            protected boolean removeEldestEntry(Map.Entry<String, String> eldest) {
                return size() > MAX_QUESTIONS;
            }
        });

        /** Remembers the call if its outcome asks the client for input. */
        void ended(Call call, Outcome outcome) {
            if (outcome instanceof Outcome.Answered answered) {
                state(answered.response(), MessageField.RESULT_STATE)
                        .ifPresent(state -> asked.put(key(call, state), call.correlationId()));
            }
        }

        /** Returns the correlation id of the call whose question this one answers, or the empty string. */
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
