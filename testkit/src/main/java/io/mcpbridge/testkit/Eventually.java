package io.mcpbridge.testkit;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/** Waits for the effects of other threads, with a time-out. An interrupt ends the wait and the test. */
public final class Eventually {

    /**
     * The default time-out of the testkit. Long enough for a busy machine to start a Java process; a wait that succeeds
     * ends at once.
     */
    public static final Duration TIMEOUT = Duration.ofSeconds(30);

    private static final long LOOK_AGAIN_NANOS = 1_000_000;

    private Eventually() {}

    /**
     * Waits until {@code condition} holds.
     *
     * @param expected completes the sentence "waited 30000 ms without success for …"
     * @throws AssertionError if it does not hold in time
     */
    public static void holds(String expected, BooleanSupplier condition) {
        holds(() -> expected, condition);
    }

    /** Like {@link #holds(String, BooleanSupplier)}, but asks for the text only on failure. */
    public static void holds(Supplier<String> expected, BooleanSupplier condition) {
        holds(TIMEOUT, expected, condition);
    }

    /** Like {@link #holds(Supplier, BooleanSupplier)}, with another time-out. */
    public static void holds(Duration timeout, Supplier<String> expected, BooleanSupplier condition) {
        get(timeout, expected, () -> condition.getAsBoolean() ? Optional.of(true) : Optional.empty());
    }

    /**
     * Waits until {@code source} has a value.
     *
     * @param expected completes the sentence "waited 30000 ms without success for …"; called only on failure
     * @throws AssertionError if there is none in time
     */
    public static <T> T get(Supplier<String> expected, Supplier<Optional<T>> source) {
        return get(TIMEOUT, expected, source);
    }

    private static <T> T get(Duration timeout, Supplier<String> expected, Supplier<Optional<T>> source) {
        var start = System.nanoTime();
        while (true) {
            var late = System.nanoTime() - start > timeout.toNanos();
            var value = source.get();
            if (value.isPresent()) {
                return value.get();
            }
            if (late) {
                throw new AssertionError(
                        "waited %d ms without success for %s".formatted(timeout.toMillis(), expected.get()));
            }
            // The flag stays, so that the waits that follow end too.
            if (Thread.currentThread().isInterrupted()) {
                throw new AssertionError("interrupted while waiting for " + expected.get());
            }
            LockSupport.parkNanos(LOOK_AGAIN_NANOS);
        }
    }
}
