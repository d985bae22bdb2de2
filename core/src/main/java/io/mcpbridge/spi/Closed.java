package io.mcpbridge.spi;

import io.mcpbridge.failure.ErrorCode;
import io.mcpbridge.failure.Failure;
import java.util.Optional;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;

/** Why a connection ended. */
public final class Closed {
    private final ErrorCode code;
    private final String reason;
    private final OptionalInt exitCode;
    private final @Nullable Throwable cause;

    private Closed(ErrorCode code, String reason, OptionalInt exitCode, @Nullable Throwable cause) {
        this.code = code;
        this.reason = reason;
        this.exitCode = exitCode;
        this.cause = cause;
    }

    /** The peer or the network ended it. */
    public static Closed disconnected(String reason) {
        return new Closed(ErrorCode.PROVIDER_UNAVAILABLE, reason, OptionalInt.empty(), null);
    }

    /** We ended it. */
    public static Closed byUs() {
        return disconnected("the connection was closed by the bridge");
    }

    /** The peer broke the protocol so that the stream cannot be read on. */
    public static Closed invalid(String reason) {
        return new Closed(ErrorCode.UPSTREAM_INVALID, reason, OptionalInt.empty(), null);
    }

    /**
     * The server's process ended.
     *
     * @param stderr its last lines, or the empty string
     */
    public static Closed exited(int exitCode, String stderr) {
        var words = "the server's process ended with exit code " + exitCode;
        var reason = stderr.isEmpty() ? words : words + "; its last words on stderr: " + stderr;
        return new Closed(ErrorCode.PROVIDER_CRASHED, reason, OptionalInt.of(exitCode), null);
    }

    public Closed withCause(Throwable newCause) {
        return new Closed(code, reason, exitCode, newCause);
    }

    public String reason() {
        return reason;
    }

    /** The exit code, where the server was a process of ours. */
    public OptionalInt exitCode() {
        return exitCode;
    }

    /** The failure of a call that this ended; its delivery is for the holder of the call to set. */
    public Failure toFailure() {
        var failure = Failure.of(code, reason);
        return cause == null ? failure : failure.withCause(cause);
    }

    public Optional<Throwable> cause() {
        return Optional.ofNullable(cause);
    }
}
