package io.mcpbridge.spi;

import java.time.Duration;

/** What to do after a failed attempt. */
public sealed interface Decision {

    /** Tell the caller; {@code reason} says why it is not repeated, for the log. */
    record Stop(String reason) implements Decision {}

    /** Try again after {@code delay}, zero or longer. */
    record Retry(Duration delay) implements Decision {}
}
