package io.mcpbridge.spi;

/** Decides whether a failed attempt is repeated. Pure: it neither sleeps nor counts; any thread may use it. */
public interface RetryPolicy {

    /** What to do after {@code failed}. */
    Decision decide(Attempt failed);

    /** How often a call is tried at the most, the first time included; 1 never repeats. */
    int maxAttempts();
}
