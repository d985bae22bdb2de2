package io.mcpbridge.cli.relay;

import io.mcpbridge.config.ClientConfiguration;
import java.time.Duration;
import java.util.stream.IntStream;

/**
 * How often and how patiently a daemon is looked for.
 *
 * @param tries how often, at least 1
 * @param first the pause behind the first try; later ones double
 */
record Patience(int tries, Duration first) {
    private static final int DOUBLINGS = 20;

    static Patience of(ClientConfiguration file) {
        return new Patience(file.reconnect() ? file.maxAttempts() : 1, file.initialDelay());
    }

    /** The pause behind try {@code number}; none behind the last. */
    Duration pause(int number) {
        return number >= tries ? Duration.ZERO : first.multipliedBy(1L << Math.min(number - 1, DOUBLINGS));
    }

    /** How long all tries take, if none of them takes time itself. */
    Duration total() {
        return IntStream.range(1, tries).mapToObj(this::pause).reduce(Duration.ZERO, Duration::plus);
    }
}
