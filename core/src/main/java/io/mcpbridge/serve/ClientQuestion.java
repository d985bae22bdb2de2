package io.mcpbridge.serve;

import io.mcpbridge.call.Call;
import io.mcpbridge.call.CancelReason;
import io.mcpbridge.call.Cancellation;
import io.mcpbridge.call.Deadline;
import io.mcpbridge.call.JsonRpcErrors;
import io.mcpbridge.call.Outcome;
import io.mcpbridge.call.Reply;
import io.mcpbridge.call.Timekeeper;
import io.mcpbridge.failure.CallException;
import io.mcpbridge.failure.ErrorCode;
import io.mcpbridge.failure.Failure;
import io.mcpbridge.message.Message;
import io.mcpbridge.message.MessageId;
import io.mcpbridge.message.Part;
import io.mcpbridge.message.Request;
import java.time.Duration;
import java.util.concurrent.ArrayBlockingQueue;

/** One question to the client of a call, for whose answer the tool's thread waits. */
final class ClientQuestion {
    /** How long people may take to answer. */
    static final Duration PATIENCE = Duration.ofMinutes(10);

    private final Call call;
    private final Timekeeper timekeeper;
    private final Cancellation withdrawal = new Cancellation();

    ClientQuestion(Call call, Timekeeper timekeeper) {
        this.call = call;
        this.timekeeper = timekeeper;
    }

    /** Asks and waits; the call's own time stands still meanwhile. */
    String ask(String method, String params) throws InterruptedException {
        var answer = new ArrayBlockingQueue<Outcome>(2);
        var release = call.deadline().hold();
        var alarm = timekeeper.schedule(PATIENCE, () -> answer.offer(late(method)));
        try {
            call.caller().client().handle(question(method, params), new Reply() {
                @Override
                public void event(Message progressOrLog) {
                    // Clients tell nothing of how they look for an answer.
                }

                @Override
                public void done(Outcome outcome) {
                    answer.offer(outcome);
                }
            });
            return result(method, answer.take());
        } finally {
            alarm.cancel();
            release.run();
            withdrawal.cancel(CancelReason.CALL_ENDED);
        }
    }

    private Call question(String method, String params) {
        var request = Request.of(MessageId.of("question"), method, params);
        var deadline = Deadline.after(PATIENCE, timekeeper);
        return Call.of(request, call.caller(), call.correlationId(), deadline).withCancellation(withdrawal);
    }

    private static Outcome late(String method) {
        var words = "the client did not answer '%s' within %d s".formatted(method, PATIENCE.toSeconds());
        return Outcome.failed(Failure.of(ErrorCode.PROVIDER_TIMEOUT, words));
    }

    private static String result(String method, Outcome outcome) {
        if (outcome instanceof Outcome.Failed failed) {
            throw CallException.of(failed.failure());
        }
        var response = ((Outcome.Answered) outcome).response();
        if (response.isError()) {
            var why = JsonRpcErrors.toFailure(response);
            throw CallException.of(why.withMessage("the client refused '%s': %s".formatted(method, why.message())));
        }
        return response.raw(Part.RESULT).orElse("{}");
    }
}
