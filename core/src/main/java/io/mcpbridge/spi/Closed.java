package io.mcpbridge.spi;

import io.mcpbridge.failure.ErrorCode;
import io.mcpbridge.failure.Failure;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * Why a connection ended.
 *
 * @param exitCode the exit code, where the server was a process of ours
 */
public record Closed(ErrorCode code, String reason, OptionalInt exitCode, Optional<Throwable> cause) {

    /** The peer or the network ended it. */
    public static Closed disconnected(String reason) {
        return new Closed(ErrorCode.PROVIDER_UNAVAILABLE, reason, OptionalInt.empty(), Optional.empty());
    }

    /** We ended it. */
    public static Closed byUs() {
        return disconnected("the connection was closed by the bridge");
    }

    /** The peer broke the protocol so that the stream cannot be read on. */
    public static Closed invalid(String reason) {
        return new Closed(ErrorCode.UPSTREAM_INVALID, reason, OptionalInt.empty(), Optional.empty());
    }

    /**
     * The server's process ended.
     *
     * @param stderr its last lines, or the empty string
     */
    public static Closed exited(int exitCode, String stderr) {
        var words = "the server's process ended with exit code " + exitCode;
        var reason = stderr.isEmpty() ? words : words + "; its last words on stderr: " + stderr;
        return new Closed(ErrorCode.PROVIDER_CRASHED, reason, OptionalInt.of(exitCode), Optional.empty());
    }

    public Closed withCause(Throwable newCause) {
        return new Closed(code, reason, exitCode, Optional.of(newCause));
    }

    /** The failure of a call that this ended; its delivery is for the holder of the call to set. */
    public Failure toFailure() {
        var failure = Failure.of(code, reason);
        return cause.map(failure::withCause).orElse(failure);
    }
}
