package io.mcpbridge.spi;

import java.time.Duration;

/** What to do after a failed attempt. */
public sealed interface Decision {

    /** Tell the caller; {@code reason} says why it is not repeated, for the log. */
    record Stop(String reason) implements Decision {}

    /**
     * Tell the caller that the call may have run and is therefore not repeated; {@code reason} completes the
     * sentence. The caller's failure is {@link io.mcpbridge.failure.ErrorCode#IN_DOUBT}.
     */
    record InDoubt(String reason) implements Decision {}

    /** Try again after {@code delay}, zero or longer. */
    record Retry(Duration delay) implements Decision {}
}
