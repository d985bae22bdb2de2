package io.mcpbridge.failure;

import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The reason why a call got no answer, as a value.
 *
 * <p>The part that ends a call creates one; stages on the way back make changed copies with the {@code with…} methods.
 * Immutable, so any thread may use it.
 */
public final class Failure {
    private final Fields fields;

    private Failure(Fields fields) {
        Objects.requireNonNull(fields.message, "message");
        this.fields = fields;
    }

    /**
     * A failure before any byte was sent, with one attempt and no server; retryable if its code {@linkplain
     * ErrorCode#isUsuallyRetryable() usually is}.
     */
    public static Failure of(ErrorCode code, String message) {
        return new Failure(new Fields(code, message));
    }

    public ErrorCode code() {
        return fields.code;
    }

    /** The code before it was replaced, such as by {@code IN_DOUBT}; the code itself if it was not replaced. */
    public ErrorCode origin() {
        return fields.origin;
    }

    /** The message: what failed, the value at fault, and what would be right. */
    public String message() {
        return fields.message;
    }

    public Delivery delivery() {
        return fields.delivery;
    }

    /** Whether the same call may succeed if it is repeated. */
    public boolean retryable() {
        return fields.retryable;
    }

    /** The number of attempts, at least 1. */
    public int attempts() {
        return fields.attempts;
    }

    /** The configured name of the server, or the empty string if none was chosen yet. */
    public String server() {
        return fields.server;
    }

    /** The HTTP status; empty if none was read. */
    public OptionalInt status() {
        return fields.status;
    }

    /** The pause before the next attempt: the server's, or the bridge's if {@link #isBreakerOpen}. */
    public Optional<Duration> retryAfter() {
        return Optional.ofNullable(fields.retryAfter);
    }

    /** Whether the bridge rejected the call because the circuit breaker of the server is open. */
    public boolean isBreakerOpen() {
        return fields.breakerOpen;
    }

    /** Whether the same call may run twice: it only reads, or a trusted source calls it idempotent. */
    public boolean isHarmless() {
        return fields.harmless;
    }

    /** Whether the call had its own process of the server, so that the failure does not concern other calls. */
    public boolean isIsolated() {
        return fields.isolated;
    }

    /** Whether a served tool failed, so that its client receives a result with {@code isError}. */
    public boolean isToolError() {
        return fields.toolError;
    }

    /** The error that the server answered with; empty if it sent none. */
    public Optional<ServerError> serverError() {
        return Optional.ofNullable(fields.serverError);
    }

    public Optional<Throwable> cause() {
        return Optional.ofNullable(fields.cause);
    }

    public Failure withMessage(String newMessage) {
        return with(copy -> copy.message = newMessage);
    }

    /** A copy with another code; {@link #origin()} stays the same. */
    public Failure withCode(ErrorCode newCode) {
        return with(copy -> copy.code = newCode);
    }

    public Failure withDelivery(Delivery newDelivery) {
        return with(copy -> copy.delivery = newDelivery);
    }

    public Failure withRetryable(boolean newRetryable) {
        return with(copy -> copy.retryable = newRetryable);
    }

    public Failure withAttempts(int newAttempts) {
        return with(copy -> copy.attempts = newAttempts);
    }

    public Failure withServer(String newServer) {
        return with(copy -> copy.server = newServer);
    }

    public Failure withStatus(int newStatus) {
        return with(copy -> copy.status = OptionalInt.of(newStatus));
    }

    public Failure withRetryAfter(Duration newRetryAfter) {
        return with(copy -> copy.retryAfter = newRetryAfter);
    }

    /** A copy for a call that the bridge rejected because the circuit breaker is open for this time. */
    public Failure withBreakerOpen(Duration rest) {
        return with(copy -> {
            copy.retryAfter = rest;
            copy.breakerOpen = true;
        });
    }

    /** A copy for a call that may run twice. */
    public Failure withHarmless() {
        return with(copy -> copy.harmless = true);
    }

    /** A copy for a call that had its own process of the server. */
    public Failure withIsolated() {
        return with(copy -> copy.isolated = true);
    }

    /** A copy for an error of a served tool. */
    public Failure withToolError() {
        return with(copy -> copy.toolError = true);
    }

    /** A copy for a call that is not tried again because the retry budget of its server is spent. */
    public Failure withBudgetSpent() {
        var spender = server().isEmpty() ? "" : " of '" + server() + "'";
        return with(copy -> {
            copy.budgetSpent = true;
            copy.message = "%s; it is not tried again, since the retry budget%s is spent".formatted(message(), spender);
        });
    }

    /** Whether the retry budget prevented another attempt. */
    public boolean isBudgetSpent() {
        return fields.budgetSpent;
    }

    public Failure withServerError(ServerError newServerError) {
        return with(copy -> copy.serverError = newServerError);
    }

    public Failure withCause(Throwable newCause) {
        return with(copy -> copy.cause = newCause);
    }

    private Failure with(Consumer<Fields> change) {
        var copy = fields.copy();
        change.accept(copy);
        return new Failure(copy);
    }

    @Override
    public String toString() {
        return code() + " (" + delivery() + ", attempt " + attempts() + "): " + message();
    }

    /** The fields; they do not change after the failure is constructed. */
    private static final class Fields implements Cloneable {
        private final ErrorCode origin;
        private ErrorCode code;
        private String message;
        private Delivery delivery = Delivery.NOT_SENT;
        private boolean retryable;
        private int attempts = 1;
        private String server = "";
        private OptionalInt status = OptionalInt.empty();
        private @Nullable Duration retryAfter;
        private boolean breakerOpen;
        private boolean harmless;
        private boolean isolated;
        private boolean toolError;
        private boolean budgetSpent;
        private @Nullable ServerError serverError;
        private @Nullable Throwable cause;

        private Fields(ErrorCode code, String message) {
            this.code = code;
            this.origin = code;
            this.message = message;
            this.retryable = code.isUsuallyRetryable();
        }

        private Fields copy() {
            try {
                return (Fields) clone();
            } catch (CloneNotSupportedException impossible) {
                throw new IllegalStateException(impossible);
            }
        }
    }

    /**
     * A JSON-RPC error that a server answered with.
     *
     * @param code the server's number
     * @param message the server's words
     * @param data the raw JSON of {@code error.data}, or the empty string if it is absent
     */
    public record ServerError(int code, String message, String data) {}
}
