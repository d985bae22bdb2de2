package io.mcpbridge.pipeline;

import io.mcpbridge.call.Call;
import io.mcpbridge.failure.Failure;
import java.time.Duration;

/** Writes down what becomes of the attempts of calls. Never waits; any thread. */
public interface AttemptLog {

    /** An attempt begins; {@code number} counts from 1. */
    void attempt(Call call, int number, int maxAttempts);

    /** Attempt {@code number} failed, and another follows after {@code delay}. */
    void retrying(Call call, int number, int maxAttempts, Retrying retrying);

    /** Attempt {@code number} failed, and none follows. */
    void stopped(Call call, int number, Failure why);

    /**
     * What follows a failed attempt.
     *
     * @param why how it failed
     * @param delay the pause before the next
     */
    record Retrying(Failure why, Duration delay) {}
}
