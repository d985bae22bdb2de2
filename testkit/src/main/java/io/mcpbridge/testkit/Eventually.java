package io.mcpbridge.testkit;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/** Waits for what another thread brings about, but not for ever. */
public final class Eventually {

    /**
     * How long everything in the testkit waits at the most, unless a test says otherwise: long enough for a busy machine
     * to start a Java process, since a wait that is met ends at once.
     */
    public static final Duration PATIENCE = Duration.ofSeconds(30);

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

    /** The same, with words that are asked for when the wait has failed. */
    public static void holds(Supplier<String> expected, BooleanSupplier condition) {
        holds(PATIENCE, expected, condition);
    }

    /** The same, with more or less patience than usual. */
    public static void holds(Duration patience, Supplier<String> expected, BooleanSupplier condition) {
        get(patience, expected, () -> condition.getAsBoolean() ? Optional.of(true) : Optional.empty());
    }

    /**
     * Waits until {@code source} has a value.
     *
     * @param expected completes the sentence "waited 30000 ms without success for …"; asked when the wait has failed
     * @throws AssertionError if there is none in time
     */
    public static <T> T get(Supplier<String> expected, Supplier<Optional<T>> source) {
        return get(PATIENCE, expected, source);
    }

    private static <T> T get(Duration patience, Supplier<String> expected, Supplier<Optional<T>> source) {
        var start = System.nanoTime();
        while (true) {
            var late = System.nanoTime() - start > patience.toNanos();
            var value = source.get();
            if (value.isPresent()) {
                return value.get();
            }
            if (late) {
                throw new AssertionError(
                        "waited %d ms without success for %s".formatted(patience.toMillis(), expected.get()));
            }
            LockSupport.parkNanos(LOOK_AGAIN_NANOS);
        }
    }
}
