package io.mcpbridge.retry.breaker;

import io.mcpbridge.call.JsonRpcErrors;
import io.mcpbridge.call.Outcome;
import io.mcpbridge.failure.ErrorCode;
import io.mcpbridge.failure.Failure;
import java.util.Optional;

/** What the end of a call says about its server. */
enum Verdict {
    /** It works: it answered, be it that the call was wrong. */
    WORKS,
    /** It did not answer in time, or could not answer properly. */
    FAILED,
    /** It was not reached, or the connection ended, which many calls may tell of one event. */
    LOST,
    /** Nothing, since the end came from elsewhere or concerns that call alone, or the server only asks for patience. */
    UNSAID;

    private static final int INTERNAL_ERROR = -32603;
    private static final int FIRST_SERVER_FAULT = 500;

    static Verdict of(Outcome outcome) {
        if (outcome instanceof Outcome.Failed failed) {
            return of(failed.failure());
        }
        var response = ((Outcome.Answered) outcome).response();
        return response.isError() ? of(JsonRpcErrors.toFailure(response)) : WORKS;
    }

    /** What a failure tells operators and other callers: not the server's own words, which are its caller's alone. */
    static String reason(Outcome outcome) {
        var failure =
                outcome instanceof Outcome.Failed failed ? Optional.of(failed.failure()) : Optional.<Failure>empty();
        return failure.filter(why -> why.code() == ErrorCode.PROVIDER_INIT_FAILED
                        || why.serverError().isEmpty())
                .map(Failure::message)
                .orElse("it answered with an internal error");
    }

    private static Verdict of(Failure failure) {
        if (failure.isHeldOff() || failure.isIsolated()) {
            return UNSAID;
        }
        var status = failure.status();
        if (status.isPresent()) {
            return status.getAsInt() >= FIRST_SERVER_FAULT ? FAILED : UNSAID;
        }
        return switch (failure.code()) {
            case PROVIDER_UNAVAILABLE, PROVIDER_CRASHED, PROVIDER_INIT_FAILED -> LOST;
            case PROVIDER_TIMEOUT, UPSTREAM_INVALID -> FAILED;
            case SERVER_ERROR ->
                failure.serverError()
                                .filter(error -> error.code() == INTERNAL_ERROR)
                                .isPresent()
                        ? FAILED
                        : WORKS;
            default -> UNSAID;
        };
    }
}
