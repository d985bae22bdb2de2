package io.mcpbridge.failure;

import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;

/**
 * Why a call did not get its answer, as a value.
 *
 * <p>Whoever ends a call makes one; stages on the way back may add what they know with the {@code with…}
 * methods. Immutable, so any thread may use it.
 */
public final class Failure {
    private final ErrorCode code;
    private final ErrorCode origin;
    private final String message;
    private final Delivery delivery;
    private final boolean retryable;
    private final int attempts;
    private final String server;
    private final OptionalInt status;
    private final @Nullable Duration retryAfter;
    private final boolean heldOff;
    private final boolean harmless;
    private final boolean isolated;
    private final boolean toolError;
    private final boolean budgetSpent;
    private final @Nullable ServerError serverError;
    private final @Nullable Throwable cause;

    private Failure(Draft draft) {
        this.code = draft.code;
        this.origin = draft.origin;
        this.message = Objects.requireNonNull(draft.message, "message");
        this.delivery = draft.delivery;
        this.retryable = draft.retryable;
        this.attempts = draft.attempts;
        this.server = draft.server;
        this.status = draft.status;
        this.retryAfter = draft.retryAfter;
        this.heldOff = draft.heldOff;
        this.harmless = draft.harmless;
        this.isolated = draft.isolated;
        this.toolError = draft.toolError;
        this.budgetSpent = draft.budgetSpent;
        this.serverError = draft.serverError;
        this.cause = draft.cause;
    }

    /** A failure before any byte was sent; retryable as its code usually is, one attempt, no server. */
    public static Failure of(ErrorCode code, String message) {
        return new Failure(new Draft(code, message));
    }

    public ErrorCode code() {
        return code;
    }

    /** The code before it was replaced, such as the one that left a call in doubt; else the code itself. */
    public ErrorCode origin() {
        return origin;
    }

    /** What failed, with the value at fault and what would be right. */
    public String message() {
        return message;
    }

    public Delivery delivery() {
        return delivery;
    }

    /** Whether the same call may succeed when it is made again. */
    public boolean retryable() {
        return retryable;
    }

    /** How often the call was tried, at least 1. */
    public int attempts() {
        return attempts;
    }

    /** The configured name of the server, or the empty string where none was chosen yet. */
    public String server() {
        return server;
    }

    /** The HTTP status, where one was read. */
    public OptionalInt status() {
        return status;
    }

    /** How long to wait before the next attempt: the server's word, or ours where {@link #isHeldOff}. */
    public Optional<Duration> retryAfter() {
        return Optional.ofNullable(retryAfter);
    }

    /** Whether the bridge itself turned the call away, since it leaves the server alone for a while. */
    public boolean isHeldOff() {
        return heldOff;
    }

    /** Whether the same call may run twice, by the word of somebody who is trusted, or since it only reads. */
    public boolean isHarmless() {
        return harmless;
    }

    /** Whether the call had a process of the server for itself, so that this says nothing of the calls of others. */
    public boolean isIsolated() {
        return isolated;
    }

    /** Whether a tool of our own failed, of which its client hears as of a result that says {@code isError}. */
    public boolean isToolError() {
        return toolError;
    }

    /** The server's own error, where it answered with one. */
    public Optional<ServerError> serverError() {
        return Optional.ofNullable(serverError);
    }

    public Optional<Throwable> cause() {
        return Optional.ofNullable(cause);
    }

    public Failure withMessage(String newMessage) {
        var draft = new Draft(this);
        draft.message = newMessage;
        return new Failure(draft);
    }

    /** Another code for the same event; {@link #origin()} stays. */
    public Failure withCode(ErrorCode newCode) {
        var draft = new Draft(this);
        draft.code = newCode;
        return new Failure(draft);
    }

    public Failure withDelivery(Delivery newDelivery) {
        var draft = new Draft(this);
        draft.delivery = newDelivery;
        return new Failure(draft);
    }

    public Failure withRetryable(boolean newRetryable) {
        var draft = new Draft(this);
        draft.retryable = newRetryable;
        return new Failure(draft);
    }

    public Failure withAttempts(int newAttempts) {
        var draft = new Draft(this);
        draft.attempts = newAttempts;
        return new Failure(draft);
    }

    public Failure withServer(String newServer) {
        var draft = new Draft(this);
        draft.server = newServer;
        return new Failure(draft);
    }

    public Failure withStatus(int newStatus) {
        var draft = new Draft(this);
        draft.status = OptionalInt.of(newStatus);
        return new Failure(draft);
    }

    public Failure withRetryAfter(Duration newRetryAfter) {
        var draft = new Draft(this);
        draft.retryAfter = newRetryAfter;
        return new Failure(draft);
    }

    /** The same of a call that the bridge itself turned away, since it leaves the server alone for so long. */
    public Failure withHoldOff(Duration rest) {
        var draft = new Draft(this);
        draft.retryAfter = rest;
        draft.heldOff = true;
        return new Failure(draft);
    }

    /** The same of a call that may run twice. */
    public Failure withHarmless() {
        var draft = new Draft(this);
        draft.harmless = true;
        return new Failure(draft);
    }

    /** The same of a call that had a process of the server for itself, which failed with it. */
    public Failure withIsolated() {
        var draft = new Draft(this);
        draft.isolated = true;
        return new Failure(draft);
    }

    /** The same, which is the tool's own and told as its result. */
    public Failure withToolError() {
        var draft = new Draft(this);
        draft.toolError = true;
        return new Failure(draft);
    }

    /** The same, which is not tried again since the budget for repeating calls of its server is spent. */
    public Failure withBudgetSpent() {
        var draft = new Draft(this);
        draft.budgetSpent = true;
        var spender = server.isEmpty() ? "" : " of '" + server + "'";
        draft.message = "%s; it is not tried again, since the retry budget%s is spent".formatted(message, spender);
        return new Failure(draft);
    }

    /** Whether it would have been tried again, had there been a budget for that. */
    public boolean isBudgetSpent() {
        return budgetSpent;
    }

    public Failure withServerError(ServerError newServerError) {
        var draft = new Draft(this);
        draft.serverError = newServerError;
        return new Failure(draft);
    }

    public Failure withCause(Throwable newCause) {
        var draft = new Draft(this);
        draft.cause = newCause;
        return new Failure(draft);
    }

    @Override
    public String toString() {
        return code + " (" + delivery + ", attempt " + attempts + "): " + message;
    }

    /** The fields while a copy is made; never leaves this class. */
    private static final class Draft {
        private final ErrorCode origin;
        private ErrorCode code;
        private String message;
        private Delivery delivery = Delivery.NOT_SENT;
        private boolean retryable;
        private int attempts = 1;
        private String server = "";
        private OptionalInt status = OptionalInt.empty();
        private @Nullable Duration retryAfter;
        private boolean heldOff;
        private boolean harmless;
        private boolean isolated;
        private boolean toolError;
        private boolean budgetSpent;
        private @Nullable ServerError serverError;
        private @Nullable Throwable cause;

        private Draft(ErrorCode code, String message) {
            this.code = code;
            this.origin = code;
            this.message = message;
            this.retryable = code.isUsuallyRetryable();
        }

        private Draft(Failure from) {
            this.code = from.code;
            this.origin = from.origin;
            this.message = from.message;
            this.delivery = from.delivery;
            this.retryable = from.retryable;
            this.attempts = from.attempts;
            this.server = from.server;
            this.status = from.status;
            this.retryAfter = from.retryAfter;
            this.heldOff = from.heldOff;
            this.harmless = from.harmless;
            this.isolated = from.isolated;
            this.toolError = from.toolError;
            this.budgetSpent = from.budgetSpent;
            this.serverError = from.serverError;
            this.cause = from.cause;
        }
    }
}
