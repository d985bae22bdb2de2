package io.mcpbridge.telemetry;

import io.mcpbridge.call.EndedSession;
import io.mcpbridge.call.JsonRpcErrors;
import io.mcpbridge.call.Outcome;
import io.mcpbridge.failure.ErrorCode;
import io.mcpbridge.failure.Failure;
import io.mcpbridge.failure.ServerError;
import io.mcpbridge.message.Part;
import io.mcpbridge.message.Response;
import io.opentelemetry.api.common.Attributes;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.StatusCode;
import java.util.Set;

/**
 * What an outcome is in the words of the conventions.
 *
 * @param errorType empty unless it is an error
 * @param statusCode the code of a JSON-RPC error; empty where there was none
 * @param words for people; empty where there are none
 */
record Verdict(String errorType, String statusCode, String words) {
    private static final Verdict GOOD = new Verdict("", "", "");

    /** What only clients can mend is no error of who serves them. */
    private static final Set<String> FAULTS_OF_CLIENTS = Set.of("-32700", "-32600", "-32601", "-32602", "-32002");

    /** As whoever called the server sees it: every code is an error. */
    static Verdict ofAttempt(Outcome outcome) {
        if (outcome instanceof Outcome.Answered answered) {
            return answered(answered.response());
        }
        var failure = ((Outcome.Failed) outcome).failure();
        return failure.serverError()
                .map(error -> Verdict.coded(error, failure))
                .orElseGet(() -> new Verdict(type(failure), "", failure.message()));
    }

    /** As whoever serves the client sees it: what the client got wrong is told, but is no error here. */
    static Verdict ofServed(Outcome outcome) {
        var seen = outcome instanceof Outcome.Answered answered ? answered(answered.response()) : told(outcome);
        return FAULTS_OF_CLIENTS.contains(seen.statusCode) ? new Verdict("", seen.statusCode, "") : seen;
    }

    /** What ended a session; empty where that was in good order. */
    static Attributes ofEnd(EndedSession session) {
        return session.failure()
                .map(why -> Attributes.of(Keys.ERROR_TYPE, type(why)))
                .orElseGet(Attributes::empty);
    }

    private static Verdict told(Outcome outcome) {
        var failure = ((Outcome.Failed) outcome).failure();
        var code = failure.serverError()
                .filter(error -> failure.code() == ErrorCode.SERVER_ERROR)
                .map(ServerError::code)
                .orElse(failure.code().jsonRpcCode());
        var type = failure.code() == ErrorCode.PROVIDER_TIMEOUT ? "timeout" : Integer.toString(code);
        return new Verdict(type, Integer.toString(code), failure.message());
    }

    private static Verdict answered(Response response) {
        if (response.isError()) {
            var failure = JsonRpcErrors.toFailure(response);
            return failure.serverError().map(error -> coded(error, failure)).orElse(GOOD);
        }
        var isToolError = response.raw(Part.IS_ERROR).filter("true"::equals).isPresent();
        return isToolError ? new Verdict("tool_error", "", "") : GOOD;
    }

    private static Verdict coded(ServerError error, Failure failure) {
        var code = Integer.toString(error.code());
        return new Verdict(code, code, error.message().isEmpty() ? failure.message() : error.message());
    }

    private static String type(Failure failure) {
        if (failure.origin() == ErrorCode.PROVIDER_TIMEOUT) {
            return "timeout";
        }
        return failure.cause()
                .map(cause -> cause.getClass().getName())
                .orElse(failure.origin().name().toLowerCase(java.util.Locale.ROOT));
    }

    boolean isError() {
        return !errorType.isEmpty();
    }

    /** Tells a span. */
    void tell(Span span) {
        span.setAllAttributes(attributes());
        if (isError()) {
            span.setStatus(StatusCode.ERROR, words);
        }
    }

    /** What belongs on spans and metrics alike. */
    Attributes attributes() {
        var attributes = Attributes.builder();
        if (isError()) {
            attributes.put(Keys.ERROR_TYPE, errorType);
        }
        if (!statusCode.isEmpty()) {
            attributes.put(Keys.STATUS_CODE, statusCode);
        }
        return attributes.build();
    }
}
