package io.mcpbridge.telemetry;

import io.mcpbridge.call.JsonRpcErrorMapper;
import io.mcpbridge.call.Outcome;
import io.mcpbridge.failure.ErrorCode;
import io.mcpbridge.failure.Failure;
import io.mcpbridge.failure.Failure.ServerError;
import io.mcpbridge.message.MessageField;
import io.mcpbridge.message.Response;
import io.mcpbridge.spi.CallObserver.EndedSession;
import io.opentelemetry.api.common.Attributes;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.StatusCode;
import java.util.Set;

/**
 * An outcome in the terms of the semantic conventions.
 *
 * @param errorType empty unless it is an error
 * @param statusCode the code of a JSON-RPC error; empty if there is none
 * @param message the text for people; empty if there is none
 */
record SpanOutcome(String errorType, String statusCode, String message) {
    private static final SpanOutcome SUCCESS = new SpanOutcome("", "", "");

    /** Errors that the client caused, which are no errors of the server span. */
    private static final Set<String> CLIENT_ERRORS = Set.of("-32700", "-32600", "-32601", "-32602", "-32002");

    /** The result as the caller of the server sees it: every error code is an error. */
    static SpanOutcome ofAttempt(Outcome outcome) {
        if (outcome instanceof Outcome.Answered answered) {
            return answered(answered.response());
        }
        var failure = ((Outcome.Failed) outcome).failure();
        return failure.serverError()
                .map(error -> SpanOutcome.coded(error, failure))
                .orElseGet(() -> new SpanOutcome(type(failure), "", failure.message()));
    }

    /**
     * The result as the server of the client sees it: an error that the client caused has its code but is no error
     * here.
     */
    static SpanOutcome ofServed(Outcome outcome) {
        var seen = outcome instanceof Outcome.Answered answered ? answered(answered.response()) : failed(outcome);
        return CLIENT_ERRORS.contains(seen.statusCode) ? new SpanOutcome("", seen.statusCode, "") : seen;
    }

    /** The error that ended a session; empty if it ended normally. */
    static Attributes ofEnd(EndedSession session) {
        return session.failure()
                .map(why -> Attributes.of(SemanticAttributes.ERROR_TYPE, type(why)))
                .orElseGet(Attributes::empty);
    }

    private static SpanOutcome failed(Outcome outcome) {
        var failure = ((Outcome.Failed) outcome).failure();
        var code = failure.serverError()
                .filter(error -> failure.code() == ErrorCode.SERVER_ERROR)
                .map(ServerError::code)
                .orElse(failure.code().jsonRpcCode());
        var type = failure.code() == ErrorCode.PROVIDER_TIMEOUT ? "timeout" : Integer.toString(code);
        return new SpanOutcome(type, Integer.toString(code), failure.message());
    }

    private static SpanOutcome answered(Response response) {
        if (response.isError()) {
            var failure = JsonRpcErrorMapper.toFailure(response);
            return failure.serverError().map(error -> coded(error, failure)).orElse(SUCCESS);
        }
        var isToolError =
                response.raw(MessageField.IS_ERROR).filter("true"::equals).isPresent();
        return isToolError ? new SpanOutcome("tool_error", "", "") : SUCCESS;
    }

    private static SpanOutcome coded(ServerError error, Failure failure) {
        var code = Integer.toString(error.code());
        return new SpanOutcome(code, code, error.message().isEmpty() ? failure.message() : error.message());
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

    /** Sets the attributes and the status of a span. */
    void applyTo(Span span) {
        span.setAllAttributes(attributes());
        if (isError()) {
            span.setStatus(StatusCode.ERROR, message);
        }
    }

    /** The attributes for spans and metrics. */
    Attributes attributes() {
        var attributes = Attributes.builder();
        if (isError()) {
            attributes.put(SemanticAttributes.ERROR_TYPE, errorType);
        }
        if (!statusCode.isEmpty()) {
            attributes.put(SemanticAttributes.STATUS_CODE, statusCode);
        }
        return attributes.build();
    }
}
