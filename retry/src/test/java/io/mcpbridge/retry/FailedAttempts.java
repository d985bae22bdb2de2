package io.mcpbridge.retry;

import io.mcpbridge.call.JsonRpcErrorMapper;
import io.mcpbridge.failure.Delivery;
import io.mcpbridge.failure.ErrorCode;
import io.mcpbridge.failure.Failure;
import io.mcpbridge.message.MessageId;
import io.mcpbridge.message.Methods;
import io.mcpbridge.message.Response;
import io.mcpbridge.spi.RetryPolicy.Attempt;
import io.mcpbridge.tool.ToolHints;
import java.time.Duration;

/** Failed first attempts of {@code tools/call}, as the engine hands them to retry policies. */
public final class FailedAttempts {
    private static final Duration TIMEOUT = Duration.ofHours(1);

    private FailedAttempts() {}

    /** The first attempt, of a tool of which nothing is known, for a caller who waits an hour more. */
    public static Attempt first(Failure failure) {
        return new Attempt(1, Methods.TOOLS_CALL, failure, ToolHints.UNDECLARED, TIMEOUT);
    }

    /** A later attempt that is otherwise the same. */
    public static Attempt numbered(int number, Attempt attempt) {
        return new Attempt(
                number, attempt.method(), attempt.failure(), attempt.hints(), attempt.remaining(), attempt.keyAgreed());
    }

    /** An attempt of a tool of which something is said. */
    public static Attempt withHints(ToolHints hints, Attempt attempt) {
        return new Attempt(
                attempt.number(), attempt.method(), attempt.failure(), hints, attempt.remaining(), attempt.keyAgreed());
    }

    /** An attempt whose server has agreed to run it once. */
    public static Attempt keyed(Attempt attempt) {
        return new Attempt(
                attempt.number(), attempt.method(), attempt.failure(), attempt.hints(), attempt.remaining(), true);
    }

    /** An attempt for a caller with less or more time. */
    public static Attempt remaining(Duration remaining, Attempt attempt) {
        return new Attempt(
                attempt.number(), attempt.method(), attempt.failure(), attempt.hints(), remaining, attempt.keyAgreed());
    }

    /** The server could not be reached. */
    public static Failure notSent() {
        return Failure.of(ErrorCode.PROVIDER_UNAVAILABLE, "connection refused");
    }

    /** The connection ended after the request was handed over. */
    public static Failure lost() {
        return Failure.of(ErrorCode.PROVIDER_UNAVAILABLE, "connection reset").withDelivery(Delivery.UNKNOWN);
    }

    /** No answer came in time. */
    public static Failure timedOut() {
        return Failure.of(ErrorCode.PROVIDER_TIMEOUT, "timed out after 30000 ms")
                .withDelivery(Delivery.UNKNOWN);
    }

    /** The server answered with a JSON-RPC error of this code. */
    public static Failure answered(int code) {
        return JsonRpcErrorMapper.toFailure(Response.error(MessageId.of(1), code, "no"));
    }

    /** The server answered with this status and no message, as the HTTP transport judges it. */
    public static Failure status(int status, Delivery delivery) {
        return Failure.of(ErrorCode.PROVIDER_UNAVAILABLE, "HTTP status " + status)
                .withStatus(status)
                .withDelivery(delivery)
                .withRetryable(status >= 500 || status == 429);
    }
}
