package io.mcpbridge.testkit;

import io.mcpbridge.call.AttemptTracer;
import io.mcpbridge.call.Call;
import io.mcpbridge.call.CallTracer;
import io.mcpbridge.call.Caller;
import io.mcpbridge.call.Cancellation;
import io.mcpbridge.call.Deadline;
import io.mcpbridge.call.Outcome;
import io.mcpbridge.call.Principal;
import io.mcpbridge.call.Reply;
import io.mcpbridge.failure.ErrorCode;
import io.mcpbridge.failure.Failure;
import io.mcpbridge.message.Message;
import io.mcpbridge.message.MessageId;
import io.mcpbridge.message.Methods;
import io.mcpbridge.message.Request;
import io.mcpbridge.spi.CallContext;
import io.mcpbridge.spi.CallStage;
import io.mcpbridge.spi.CallStage.Next;
import io.mcpbridge.spi.ChildProcess;
import io.mcpbridge.spi.Environment;
import io.mcpbridge.spi.LaunchCommand;
import io.mcpbridge.spi.ProcessLauncher;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Creates calls for a stage under test, with a clock that stands still. Any thread may use it. */
public final class StageFixture {
    private static final Duration TIMEOUT = Duration.ofMinutes(1);

    private final FakeTimekeeper time = new FakeTimekeeper();
    private final RecordingLogger log = new RecordingLogger();
    private final AtomicLong ids = new AtomicLong();
    private final Environment environment;

    public StageFixture() {
        environment = Environment.of(time, Runnable::run, new NoProcesses())
                .withLogger(log)
                .withVariables(Map.of())
                .withRandom(new java.util.Random(1));
    }

    public FakeTimekeeper time() {
        return time;
    }

    public RecordingLogger log() {
        return log;
    }

    public Environment environment() {
        return environment;
    }

    /** A call of the tool {@code work} without arguments, by {@code anna}. */
    public Call tool() {
        return tool("work", "{}");
    }

    /** A call of a tool, by {@code anna}. */
    public Call tool(String name, String arguments) {
        return of(Methods.TOOLS_CALL, "{\"name\":\"%s\",\"arguments\":%s}".formatted(name, arguments));
    }

    /** A call of any method, by {@code anna}, with a time-out of one minute. */
    public Call of(String method, String params) {
        return by("anna", method, params, TIMEOUT);
    }

    /** A call of any method, principal and time-out. */
    public Call by(String principal, String method, String params, Duration timeout) {
        var number = ids.incrementAndGet();
        var caller = Caller.ANONYMOUS.withPrincipal(new Principal(principal, "token"));
        var request = Request.of(MessageId.of(number), method, params);
        return Call.of(request, caller, "call-" + number, Deadline.after(timeout, time));
    }

    /** The same call by another caller. */
    public static Call by(Caller caller, Call call) {
        return Call.of(call.request(), caller, call.correlationId(), call.deadline());
    }

    /** Sends a call through a stage. As in the engine, an exception of {@code next} ends the call. */
    public static RecordingReply send(CallStage stage, Call call, Next next) {
        var reply = new RecordingReply();
        send(stage, call, reply, next);
        return reply;
    }

    /** Like {@link #send(CallStage, Call, Next)}, but the given reply receives events and outcome. */
    public static void send(CallStage stage, Call call, Reply reply, Next next) {
        stage.handle(RecordingCall.of(call, reply), passed -> guarded(passed, next));
    }

    private static void guarded(CallContext call, Next next) {
        try {
            next.handle(call);
        } catch (RuntimeException defect) {
            var words = "the bridge failed on this call: " + defect;
            call.complete(
                    Outcome.failed(Failure.of(ErrorCode.INTERNAL_ERROR, words).withCause(defect)));
        }
    }

    private static final class NoProcesses implements ProcessLauncher {
        @Override
        public ChildProcess launch(LaunchCommand command) {
            throw new IllegalStateException("a stage starts no process");
        }

        @Override
        public void close() {}
    }

    /**
     * The context of a call, as the engine passes it to a stage; forwards events and outcome to a reply. Any thread may
     * use it.
     */
    static final class RecordingCall implements CallContext {
        private static final System.Logger LOGGER = System.getLogger(RecordingCall.class.getName());

        private final Call call;
        private final Cancellation cancellation;
        private final Consumer<Message> events;
        private final Consumer<Outcome> end;
        private final List<Consumer<Message>> listeners = new CopyOnWriteArrayList<>();
        private final ReentrantLock lock = new ReentrantLock();

        /** Newest first. Guarded by the lock, like the next two fields. */
        private final ArrayDeque<Consumer<Outcome>> actions = new ArrayDeque<>();

        private final ArrayDeque<Runnable> lastActions = new ArrayDeque<>();
        private @Nullable Outcome outcome;
        private Deadline deadline;

        private RecordingCall(Call call, Cancellation own, Consumer<Message> events, Consumer<Outcome> end) {
            this.call = call;
            this.cancellation = own;
            this.events = events;
            this.end = end;
            this.deadline = call.deadline();
        }

        static RecordingCall of(Call call, Reply reply) {
            return new RecordingCall(
                    call,
                    call.cancellation(),
                    event -> guarded(() -> reply.event(event)),
                    outcome -> guarded(() -> reply.complete(outcome)));
        }

        /** As in the engine, an exception of the caller has no other effect. */
        private static void guarded(Runnable caller) {
            try {
                caller.run();
            } catch (RuntimeException defect) {
                LOGGER.log(System.Logger.Level.INFO, "the caller of a stage failed", defect);
            }
        }

        @Override
        public boolean callerWaits() {
            return call.callerWaits();
        }

        @Override
        public CallContext newAttempt(Cancellation own) {
            return new RecordingCall(this, own, this::event, outcome -> {});
        }

        @Override
        public void complete(Outcome first) {
            List<Consumer<Outcome>> due;
            List<Runnable> last;
            lock.lock();
            try {
                if (outcome != null) {
                    return;
                }
                outcome = first;
                due = List.copyOf(actions);
                last = List.copyOf(lastActions);
            } finally {
                lock.unlock();
            }
            due.forEach(action -> action.accept(first));
            end.accept(first);
            last.forEach(Runnable::run);
        }

        @Override
        public void onComplete(Consumer<Outcome> action) {
            outcomeOr(() -> actions.push(action)).ifPresent(action);
        }

        @Override
        public void afterComplete(Runnable action) {
            outcomeOr(() -> lastActions.push(action)).ifPresent(over -> action.run());
        }

        /** Returns the outcome; if there is none yet, runs {@code register} and returns empty. */
        private Optional<Outcome> outcomeOr(Runnable register) {
            lock.lock();
            try {
                if (outcome == null) {
                    register.run();
                }
                return Optional.ofNullable(outcome);
            } finally {
                lock.unlock();
            }
        }

        @Override
        public void onEvent(Consumer<Message> action) {
            listeners.add(action);
        }

        @Override
        public void event(Message progressOrLog) {
            if (outcomeOr(() -> {}).isEmpty()) {
                listeners.forEach(listener -> listener.accept(progressOrLog));
                events.accept(progressOrLog);
            }
        }

        @Override
        public void onHold(Consumer<Deadline> action) {
            deadline = deadline.watched(action);
        }

        @Override
        public Request request() {
            return call.request();
        }

        @Override
        public Caller caller() {
            return call.caller();
        }

        @Override
        public String correlationId() {
            return call.correlationId();
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
        public CallTracer tracer() {
            return call.tracer();
        }

        @Override
        public AttemptTracer attemptTracer() {
            return call.attemptTracer();
        }
    }
}
