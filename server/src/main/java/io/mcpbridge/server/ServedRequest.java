package io.mcpbridge.server;

import io.mcpbridge.call.Call;
import io.mcpbridge.call.Outcome;
import io.mcpbridge.call.Reply;
import io.mcpbridge.failure.BridgeException;
import io.mcpbridge.failure.Delivery;
import io.mcpbridge.failure.ErrorCode;
import io.mcpbridge.failure.ErrorText;
import io.mcpbridge.failure.Failure;
import io.mcpbridge.message.MessageField;
import io.mcpbridge.message.Response;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;

/** A request of a client to the program, and the ways to answer it. Any thread. */
record ServedRequest(Call call, Reply reply) {

    /** Answers with a whole list; a cursor is refused, since the list has one page. */
    void list(String result) {
        if (call.request().has(MessageField.CURSOR)) {
            var message = "the cursor %s does not belong to this list, which has one page; list without a cursor"
                    .formatted(call.request().raw(MessageField.CURSOR).orElse(""));
            refuse(ErrorCode.INVALID_PARAMS, message);
            return;
        }
        reply.complete(answer(result));
    }

    /** Answers with an error. */
    void refuse(ErrorCode code, String message) {
        reply.complete(Outcome.failed(Failure.of(code, message)));
    }

    /** Answers with the result that a handler makes on a thread of its own, which is interrupted by a cancellation. */
    void run(Executor threads, Callable<String> handler) {
        try {
            threads.execute(() -> reply.complete(outcome(handler)));
        } catch (RejectedExecutionException full) {
            refuse(
                    ErrorCode.OVERLOADED,
                    "'%s' finds no thread to run on".formatted(call.request().method()));
        }
    }

    private Outcome outcome(Callable<String> handler) {
        try (var interruption = new Interruption(call.cancellation())) {
            interruption.check();
            return answer(handler.call());
        } catch (Throwable thrown) {
            // The outermost frame of a handler: its client gets an answer whatever is thrown.
            return cancelled(call, thrown).orElseGet(() -> Outcome.failed(failure(thrown)));
        }
    }

    /** The outcome of a cancelled call, whatever its handler threw; empty if the call is not cancelled. */
    static Optional<Outcome> cancelled(Call call, Throwable thrown) {
        return call.cancellation().reason().map(reason -> {
            var message = "'%s' was cancelled: %s".formatted(call.request().method(), reason.text());
            return Outcome.failed(Failure.of(reason.code(), message)
                    .withDelivery(Delivery.UNKNOWN)
                    .withCause(thrown));
        });
    }

    private static Failure failure(Throwable thrown) {
        return thrown instanceof BridgeException ours
                ? ours.failure()
                : Failure.of(ErrorCode.INTERNAL_ERROR, ErrorText.of(thrown)).withCause(thrown);
    }

    private Outcome answer(String result) {
        return Outcome.answered(Response.result(call.request().id(), result));
    }
}
