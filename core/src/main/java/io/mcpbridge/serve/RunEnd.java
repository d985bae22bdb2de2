package io.mcpbridge.serve;

import io.mcpbridge.call.Call;
import io.mcpbridge.call.Outcome;
import io.mcpbridge.failure.BridgeException;
import io.mcpbridge.failure.Delivery;
import io.mcpbridge.failure.ErrorCode;
import io.mcpbridge.failure.Failure;
import io.mcpbridge.message.Response;
import io.mcpbridge.serve.schema.UnfitException;
import org.jspecify.annotations.Nullable;

/**
 * How a call of a tool ended.
 *
 * @param told what the client is told
 * @param recorded what the audit is told, where an error is an error
 */
record RunEnd(Outcome told, Outcome recorded) {

    static RunEnd ok(Call call, @Nullable Object data) {
        var outcome = answer(call, Envelope.ok(data));
        return new RunEnd(outcome, outcome);
    }

    static RunEnd invalid(Call call, UnfitException unfit) {
        var failure = Failure.of(ErrorCode.INVALID_PARAMS, Envelope.SCHEMA_FAILED + ": " + unfit.getMessage());
        return new RunEnd(answer(call, Envelope.invalid(unfit.issues())), Outcome.failed(failure));
    }

    /** Neither ran nor has an envelope. */
    static RunEnd failed(ErrorCode code, String why) {
        var outcome = Outcome.failed(Failure.of(code, why));
        return new RunEnd(outcome, outcome);
    }

    /** The tool, or the audit before it, threw something; a call that was withdrawn ends as such, whatever it throws. */
    static RunEnd thrown(Call call, Throwable why) {
        var reason = call.cancellation().reason();
        if (reason.isPresent()) {
            var words = "'%s' was withdrawn: %s"
                    .formatted(call.request().method(), reason.get().text());
            var failure = Failure.of(reason.get().code(), words)
                    .withDelivery(Delivery.UNKNOWN)
                    .withCause(why);
            return new RunEnd(Outcome.failed(failure), Outcome.failed(failure));
        }
        if (why instanceof BridgeException ours) {
            return new RunEnd(answer(call, Envelope.failed(ours.failure())), Outcome.failed(ours.failure()));
        }
        if (why instanceof AuditTrail.EnterFailedException unrecorded) {
            return unrecorded(call, unrecorded);
        }
        var words = Words.of(why);
        var failure = Failure.of(ErrorCode.INTERNAL_ERROR, words)
                .withDelivery(Delivery.ANSWERED)
                .withCause(why);
        return new RunEnd(answer(call, Envelope.failed(words)), Outcome.failed(failure));
    }

    /** The tool did not run. */
    private static RunEnd unrecorded(Call call, AuditTrail.EnterFailedException why) {
        var words = Words.of(why);
        var failure = Failure.of(ErrorCode.AUDIT_UNAVAILABLE, words).withCause(why);
        return new RunEnd(answer(call, Envelope.failed(words)), Outcome.failed(failure));
    }

    /** The same of what the tool itself threw, and was told as its result: it did answer. */
    RunEnd byTool() {
        if (!(told instanceof Outcome.Answered) || !(recorded instanceof Outcome.Failed failed)) {
            return this;
        }
        var failure = failed.failure().withDelivery(Delivery.ANSWERED).withToolError();
        return new RunEnd(told, Outcome.failed(failure));
    }

    private static Outcome answer(Call call, String result) {
        return Outcome.answered(Response.result(call.request().id(), result));
    }
}
