package io.mcpbridge;

import io.mcpbridge.call.Call;
import io.mcpbridge.call.Caller;
import io.mcpbridge.call.Handler;
import io.mcpbridge.call.Outcome;
import io.mcpbridge.call.Reply;
import io.mcpbridge.failure.ErrorCode;
import io.mcpbridge.failure.Failure;
import io.mcpbridge.message.Methods;
import io.mcpbridge.message.Part;
import io.mcpbridge.message.Response;
import io.mcpbridge.spi.Environment;
import java.lang.System.Logger.Level;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.Executor;
import java.util.concurrent.FutureTask;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Collectors;

/**
 * What one server can ask a Java program, and how it answers: by handlers that may wait, on worker threads. Any thread.
 */
final class ClientSide implements Handler {
    private static final String FORMS = "\"elicitation\":{\"form\":{}}";
    private static final String FORMS_AND_ADDRESSES = "\"elicitation\":{\"form\":{},\"url\":{}}";
    private static final Map<String, String> CAPABILITIES = Map.of(
            Methods.ELICITATION_CREATE, FORMS,
            Methods.ROOTS_LIST, "\"roots\":{}",
            Methods.SAMPLING_CREATE_MESSAGE, "\"sampling\":{}");

    private final String server;
    private final Map<String, QuestionHandler> handlers;
    private final Executor workers;
    private final System.Logger logger;

    /** Answers what {@code server} asks, by method. */
    ClientSide(String server, Map<String, QuestionHandler> handlers, Environment environment) {
        this.server = server;
        this.handlers = Map.copyOf(handlers);
        this.workers = environment.workers();
        this.logger = environment.logger();
    }

    /** The program as one who makes calls, with what it can be asked. */
    Caller.Builder caller() {
        return Caller.builder()
                .capabilities(capabilities())
                .declared(capabilities())
                .client(this);
    }

    /** In the order of the canonical form, which is that of the methods' names. */
    private String capabilities() {
        return new TreeMap<>(handlers)
                .entrySet().stream()
                        .map(each -> capability(each.getKey(), each.getValue()))
                        .collect(Collectors.joining(",", "{", "}"));
    }

    private static String capability(String method, QuestionHandler handler) {
        return method.equals(Methods.ELICITATION_CREATE) && handler.answersAddresses()
                ? FORMS_AND_ADDRESSES
                : CAPABILITIES.getOrDefault(method, "");
    }

    @Override
    public void handle(Call call, Reply reply) {
        var handler = handlers.get(call.request().method());
        if (handler == null) {
            var why = "The client cannot be asked '%s': it has no handler for it."
                    .formatted(call.request().method());
            reply.done(Outcome.failed(Failure.of(ErrorCode.METHOD_NOT_FOUND, why)));
            return;
        }
        new Asked(call, reply, handler).begin();
    }

    /** One question under way. */
    private final class Asked {
        private final Call call;
        private final Reply reply;
        private final QuestionHandler handler;
        private final AtomicBoolean isDone = new AtomicBoolean();

        private Asked(Call call, Reply reply, QuestionHandler handler) {
            this.call = call;
            this.reply = reply;
            this.handler = handler;
        }

        private void begin() {
            var work = new FutureTask<>(this::answer, null);
            var link = call.cancellation().onCancel(reason -> {
                done(Outcome.failed(Failure.of(reason.code(), "the question was withdrawn: " + reason.text())));
                work.cancel(true);
            });
            try {
                workers.execute(() -> {
                    work.run();
                    link.remove();
                });
            } catch (RejectedExecutionException stopped) {
                done(Outcome.failed(Failure.of(ErrorCode.SHUTTING_DOWN, "the client has stopped")));
            }
        }

        private void answer() {
            try {
                var result = handler.answer(question());
                done(Outcome.answered(Response.result(call.request().id(), result)));
            } catch (InterruptedException withdrawn) {
                Thread.currentThread().interrupt();
                refuse(withdrawn);
            } catch (Exception noAnswer) {
                refuse(noAnswer);
            }
        }

        private Question question() {
            var request = call.request();
            return new Question(
                    server, request.method(), request.raw(Part.PARAMS).orElse("{}"));
        }

        private void refuse(Exception noAnswer) {
            // The words may hold what is none of the server's business.
            logger.log(
                    Level.WARNING,
                    "[mcp-bridge] the handler for '%s' failed, asked by server '%s'"
                            .formatted(call.request().method(), server),
                    noAnswer);
            done(Outcome.failed(Failure.of(ErrorCode.INTERNAL_ERROR, "the client has no answer")));
        }

        private void done(Outcome outcome) {
            if (isDone.compareAndSet(false, true)) {
                reply.done(outcome);
            }
        }
    }
}
