package io.mcpbridge;

import io.mcpbridge.call.Call;
import io.mcpbridge.call.Caller;
import io.mcpbridge.call.CancelReason;
import io.mcpbridge.call.Cancellation;
import io.mcpbridge.call.Deadline;
import io.mcpbridge.call.Handler;
import io.mcpbridge.call.JsonRpcErrorMapper;
import io.mcpbridge.call.LogLevel;
import io.mcpbridge.call.NotificationSink;
import io.mcpbridge.call.OneShotEnd;
import io.mcpbridge.call.Outcome;
import io.mcpbridge.call.Principal;
import io.mcpbridge.call.Reply;
import io.mcpbridge.call.TraceParent;
import io.mcpbridge.event.EventBus.Subscription;
import io.mcpbridge.failure.BridgeException;
import io.mcpbridge.failure.CallException;
import io.mcpbridge.failure.ErrorCode;
import io.mcpbridge.failure.Failure;
import io.mcpbridge.message.Message;
import io.mcpbridge.message.MessageField;
import io.mcpbridge.message.Methods;
import io.mcpbridge.message.Notification;
import io.mcpbridge.message.Request;
import io.mcpbridge.message.Response;
import io.mcpbridge.spi.Environment;
import io.mcpbridge.tool.Json;
import io.mcpbridge.tool.LogMessage;
import io.mcpbridge.tool.Progress;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * The client of one server on behalf of a Java program. Makes calls and turns their outcomes into results and
 * exceptions. Passes notifications to the program's listeners. Runs the program's handlers for requests of the server
 * on worker threads. Any thread.
 */
final class ProgramClient {
    private final Environment environment;
    private final Caller withoutListeners;
    private final Supplier<TraceParent> trace;
    private final List<LogListener> listeners = new CopyOnWriteArrayList<>();
    private final Set<Call> open = ConcurrentHashMap.newKeySet();
    private volatile boolean isClosed;

    /** @param trace the trace of the program on the current thread */
    ProgramClient(String server, ServerRequestHandlers handlers, Supplier<TraceParent> trace, Environment environment) {
        this.environment = environment;
        this.trace = trace;
        this.withoutListeners = Caller.ANONYMOUS
                .withCapabilities(handlers.capabilities())
                .withDeclared(handlers.capabilities())
                .withClient(new RequestHandler(server, handlers, environment))
                .withPrincipal(new Principal("java", "process"))
                .withSession("java");
    }

    /** Receives log messages of this level and above. */
    private record LogListener(LogLevel mildest, Consumer<LogMessage> target) {}

    /** Returns the caller of a new call by the current thread. */
    Caller caller() {
        var current = trace.get();
        var traced = current.isPresent() ? withoutListeners.withTrace(current) : withoutListeners;
        if (listeners.isEmpty()) {
            return traced;
        }
        return listeners.stream()
                .map(LogListener::mildest)
                .min(LogLevel::compareTo)
                .map(traced::withLogLevel)
                .orElse(traced);
    }

    Subscription onLog(LogLevel mildest, Consumer<LogMessage> target) {
        var listener = new LogListener(mildest, target);
        listeners.add(listener);
        return () -> listeners.remove(listener);
    }

    /** Passes a log message of the server to the listeners. */
    private void logged(Notification notification) {
        var params = notification.raw(MessageField.PARAMS);
        var level = notification.text(MessageField.LEVEL).flatMap(LogLevel::parse);
        if (params.isEmpty() || level.isEmpty()) {
            return;
        }
        var message = new LogMessage(Json.ofChecked(params.get()));
        for (var listener : listeners) {
            if (level.get().isAtLeast(listener.mildest())) {
                runListener(
                        () -> listener.target().accept(message), "[mcp-bridge] a listener to a server's log failed");
            }
        }
    }

    /** Runs a listener of the program; its exceptions must not reach the thread that reads from the server. */
    private void runListener(Runnable listener, String failure) {
        try {
            listener.run();
        } catch (RuntimeException failed) {
            environment.logger().log(Level.WARNING, failure, failed);
        }
    }

    /** Cancels the calls under way and those that begin later. */
    void close() {
        isClosed = true;
        open.forEach(ProgramClient::shutDown);
    }

    private static void shutDown(Call call) {
        call.cancellation().cancel(CancelReason.SHUTTING_DOWN);
    }

    /** Waits for a result; throws the failure of the call if it has one. */
    static <T> T await(CompletableFuture<T> result) throws InterruptedException {
        try {
            return result.get();
        } catch (ExecutionException failed) {
            if (failed.getCause() instanceof BridgeException exception) {
                // Throws with the stack of the waiting thread, not that of the thread that read the answer.
                exception.setStackTrace(new Throwable().getStackTrace());
                throw exception;
            }
            throw new IllegalStateException("the call ended in a defect of the bridge", failed.getCause());
        }
    }

    /** Makes the result of a call from raw JSON. */
    interface ResultReader<T> {
        T read(String json, String correlationId, Duration duration);
    }

    /** One call of the program, with a result to wait for or a future. */
    final class PendingCall<T> implements Reply {
        private final Handler handler;
        private final String subject;
        private final CallOptions options;
        private final ResultReader<T> reader;
        private final Call call;
        private final long begun = environment.timekeeper().nanoTime();
        private final CompletableFuture<T> result = new CompletableFuture<>();

        /**
         * Creates a call without starting it.
         *
         * @param subject the subject of failure messages
         * @param overall the time for the whole call
         */
        PendingCall(
                Handler handler,
                Request request,
                String subject,
                Duration overall,
                CallOptions options,
                ResultReader<T> reader) {
            this.handler = handler;
            this.subject = subject;
            this.options = options;
            this.reader = reader;
            var correlationId = options.correlationId().orElseGet(() -> Call.newCorrelationId(environment.random()));
            this.call = Call.of(request, caller(), correlationId, Deadline.after(overall, environment.timekeeper()));
        }

        T await() throws InterruptedException {
            begin(call.withCallerWaiting());
            try {
                return ProgramClient.await(result);
            } catch (InterruptedException interrupted) {
                call.cancellation().cancel(CancelReason.CLIENT_CANCELLED);
                throw interrupted;
            }
        }

        /** Dependents of the future run on a worker. */
        CompletableFuture<T> future() {
            begin(call);
            var future = result.thenApplyAsync(done -> done, environment.workers());
            var unused = future.whenComplete((done, failed) -> {
                if (future.isCancelled()) {
                    call.cancellation().cancel(CancelReason.CLIENT_CANCELLED);
                }
            });
            return future;
        }

        private void begin(Call prepared) {
            open.add(call);
            if (isClosed) {
                shutDown(call);
            }
            handler.handle(prepared, this);
        }

        @Override
        public void event(Message progressOrLog) {
            if (!(progressOrLog instanceof Notification notification)) {
                return;
            }
            if (notification.method().equals(Methods.LOG_MESSAGE)) {
                logged(notification);
            }
            var params = notification.raw(MessageField.PARAMS);
            if (notification.method().equals(Methods.PROGRESS) && params.isPresent()) {
                options.progress().ifPresent(listener -> report(listener, params.get()));
            }
        }

        private void report(Consumer<Progress> listener, String params) {
            runListener(
                    () -> listener.accept(new Progress(Json.ofChecked(params))),
                    "[mcp-bridge] a progress listener failed");
        }

        @Override
        public void complete(Outcome outcome) {
            open.remove(call);
            try {
                result.complete(result(outcome));
            } catch (RuntimeException failed) {
                // Without this, a defect would leave the caller waiting for ever.
                result.completeExceptionally(failed);
            }
        }

        private T result(Outcome outcome) {
            if (outcome instanceof Outcome.Failed failed) {
                throw CallException.of(failed.failure());
            }
            var answered = (Outcome.Answered) outcome;
            var response = answered.response();
            if (response.isError()) {
                var failure = JsonRpcErrorMapper.ofCaller(response);
                throw CallException.of(failure.withMessage("%s: %s".formatted(subject, failure.message()))
                        .withAttempts(answered.attempts()));
            }
            var duration = Duration.ofNanos(environment.timekeeper().nanoTime() - begun);
            return reader.read(response.raw(MessageField.RESULT).orElse("{}"), call.correlationId(), duration);
        }
    }

    /**
     * Passes changes of one resource to a listener of the program until the subscription is closed, and log messages of
     * the server to the listeners of its log.
     */
    final class ResourceListener implements NotificationSink {
        private final Consumer<String> listener;
        private final CompletableFuture<Boolean> gone = new CompletableFuture<>();

        ResourceListener(Consumer<String> listener) {
            this.listener = listener;
        }

        @Override
        public void send(Notification notification) {
            if (notification.method().equals(Methods.LOG_MESSAGE)) {
                logged(notification);
            } else if (!gone.isDone()) {
                var uri = notification.text(MessageField.URI).orElse("");
                runListener(() -> listener.accept(uri), "[mcp-bridge] a listener to a resource failed");
            }
        }

        @Override
        public Cancellation.Registration onClosed(Runnable action) {
            var leaving = gone.thenRun(action);
            return () -> leaving.cancel(false);
        }

        void end() {
            gone.complete(true);
        }
    }

    /** Answers requests of the server with the program's handlers. */
    private record RequestHandler(String server, ServerRequestHandlers handlers, Environment environment)
            implements Handler {
        @Override
        public void handle(Call call, Reply reply) {
            var method = call.request().method();
            var handler = handlers.find(method);
            if (handler.isEmpty()) {
                var why = "The client cannot be asked '%s': it has no handler for it.".formatted(method);
                reply.complete(Outcome.failed(Failure.of(ErrorCode.METHOD_NOT_FOUND, why)));
                return;
            }
            var end = new OneShotEnd();
            var work = new FutureTask<>(
                    () -> {
                        var outcome = outcome(call, handler.get());
                        if (end.end()) {
                            reply.complete(outcome);
                        }
                    },
                    null);
            var link = call.cancellation().onCancel(reason -> {
                if (end.end()) {
                    reply.complete(
                            Outcome.failed(Failure.of(reason.code(), "the question was withdrawn: " + reason.text())));
                }
                work.cancel(true);
            });
            end.releasing(link::remove);
            try {
                environment.workers().execute(work);
            } catch (RejectedExecutionException stopped) {
                if (end.end()) {
                    reply.complete(Outcome.failed(Failure.of(ErrorCode.SHUTTING_DOWN, "the client has stopped")));
                }
            }
        }

        private Outcome outcome(Call call, ServerRequestHandlers.Answer handler) {
            try {
                var params =
                        Json.ofChecked(call.request().raw(MessageField.PARAMS).orElse("{}"));
                var result = handler.answer(server, params);
                return Outcome.answered(Response.result(call.request().id(), result.text()));
            } catch (InterruptedException withdrawn) {
                Thread.currentThread().interrupt();
                return noAnswer(call, withdrawn);
            } catch (Exception failed) {
                return noAnswer(call, failed);
            }
        }

        private Outcome noAnswer(Call call, Exception why) {
            // The message may contain secrets of the program.
            environment
                    .logger()
                    .log(
                            Level.WARNING,
                            "[mcp-bridge] the handler for '%s' failed, asked by server '%s'"
                                    .formatted(call.request().method(), server),
                            why);
            return Outcome.failed(Failure.of(ErrorCode.INTERNAL_ERROR, "the client has no answer"));
        }
    }
}
