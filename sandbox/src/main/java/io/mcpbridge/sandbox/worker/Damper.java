package io.mcpbridge.sandbox.worker;

import io.mcpbridge.call.DoublingPause;
import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;

/** Holds starts off for longer and longer while they fail. Guarded by its owner's lock. */
final class Damper {
    private static final DoublingPause PAUSE = new DoublingPause(Duration.ofMillis(200), Duration.ofSeconds(30));

    private int failures;
    private long until;
    private String trouble = "";

    /** A start failed. */
    void failed(String why) {
        trouble = why;
        failures++;
        until = System.nanoTime()
                + PAUSE.after(failures, ThreadLocalRandom.current()).toNanos();
    }

    /** A start worked. */
    void succeeded() {
        failures = 0;
        trouble = "";
    }

    /** How long it is until the next start; zero or less if that may be now. */
    Duration rest() {
        return failures == 0 ? Duration.ZERO : Duration.ofNanos(until - System.nanoTime());
    }

    /** Why the last start failed; empty if it did not. */
    String trouble() {
        return trouble;
    }
}
