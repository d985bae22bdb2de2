package io.mcpbridge.audit.record;

import io.mcpbridge.call.Outcome;
import io.mcpbridge.failure.Delivery;
import io.mcpbridge.failure.ErrorCode;
import io.mcpbridge.failure.Failure;
import io.mcpbridge.failure.ServerError;
import io.mcpbridge.message.NumberText;
import io.mcpbridge.message.Part;
import io.mcpbridge.message.Response;
import java.util.Locale;

/**
 * How a call ended, in the words of a record.
 *
 * @param outcome {@code ok}, {@code tool-error}, {@code input-required} or {@code error}
 * @param reason the stable word for what went wrong; empty where nothing did or only the server knows
 * @param code of the JSON-RPC error, or the one that the reason stands for; 0 where there is none
 * @param error what is said about it, as it came
 */
record Ending(String outcome, Delivery delivery, String reason, int code, String error) {

    static Ending of(Outcome outcome) {
        if (outcome instanceof Outcome.Answered answered) {
            return of(answered.response());
        }
        return of(((Outcome.Failed) outcome).failure());
    }

    private static Ending of(Response response) {
        if (response.isError()) {
            var code =
                    response.raw(Part.ERROR_CODE).flatMap(NumberText::readInt).orElse(0);
            return answered("error", code, response.text(Part.ERROR_MESSAGE).orElse(""));
        }
        if (response.text(Part.RESULT_TYPE).filter("input_required"::equals).isPresent()) {
            return answered("input-required", 0, "");
        }
        var failed = response.raw(Part.IS_ERROR).filter("true"::equals).isPresent();
        return answered(failed ? "tool-error" : "ok", 0, "");
    }

    private static Ending answered(String word, int code, String error) {
        return new Ending(word, Delivery.ANSWERED, "", code, error);
    }

    private static Ending of(Failure failure) {
        if (failure.isToolError() && failure.code() == ErrorCode.INTERNAL_ERROR) {
            // The code of whatever a tool may throw, which its client does not hear.
            return answered("tool-error", 0, failure.message());
        }
        int code = failure.serverError()
                .map(ServerError::code)
                .orElse(failure.code().jsonRpcCode());
        var reason = failure.code().name().toLowerCase(Locale.ROOT);
        var word = failure.isToolError() ? "tool-error" : "error";
        return new Ending(word, failure.delivery(), reason, code, failure.message());
    }
}
