package io.mcpbridge.spi;

/** Where a stage stands among those of one server, the outermost first; each place holds one stage at the most. */
public enum Place {
    /** Compares arguments and results with what the tool says of them. */
    SCHEMA_CHECK,
    /** Answers with what the server said before. */
    CACHE,
    /** Makes one call of calls that ask the same at the same time. */
    COALESCING,
    /** Bounds how many calls begin in a span of time; outside of the attempts. */
    RATE_LIMIT,
    /** Holds attempts off while the server fails. */
    BREAKER,
    /** Bounds how many attempts are under way at once. */
    CONCURRENCY;

    /** Whether the stage meets each attempt, rather than the call with all its attempts. */
    public boolean isWithinAttempts() {
        return this == BREAKER || this == CONCURRENCY;
    }
}
