package io.mcpbridge.cli.relay;

import io.mcpbridge.failure.BridgeException;
import io.mcpbridge.failure.CallException;
import io.mcpbridge.failure.ErrorCode;
import io.mcpbridge.failure.Failure;
import java.time.Duration;
import java.util.stream.IntStream;

/**
 * The number of connection attempts and the pauses between them.
 *
 * @param attempts the number of attempts, at least 1
 * @param firstDelay the pause after the first attempt; later ones double
 */
record ReconnectPolicy(int attempts, Duration firstDelay) {
    private static final int DOUBLINGS = 20;

    /** One attempt, the first with number 1. */
    interface Attempt {

        /** False or a {@link BridgeException} if another attempt may follow. */
        boolean succeeds(int number) throws InterruptedException;
    }

    static ReconnectPolicy of(DaemonClientConfiguration file) {
        return new ReconnectPolicy(file.reconnect() ? file.maxAttempts() : 1, file.initialDelay());
    }

    /** The pause after attempt {@code number}; zero after the last. */
    Duration pause(int number) {
        return number >= attempts ? Duration.ZERO : firstDelay.multipliedBy(1L << Math.min(number - 1, DOUBLINGS));
    }

    /** The sum of all pauses. */
    Duration total() {
        return IntStream.range(1, attempts).mapToObj(this::pause).reduce(Duration.ZERO, Duration::plus);
    }

    /**
     * Makes attempts until one succeeds or {@code watch} is closed. An attempt that follows because the socket has
     * appeared is an additional one.
     *
     * @throws BridgeException if none succeeded: the failure of the last one that had one
     */
    void repeat(Attempt attempt, SocketWatch watch) throws InterruptedException {
        BridgeException last =
                CallException.of(Failure.of(ErrorCode.PROVIDER_UNAVAILABLE, "the connection to the daemon is closed"));
        var made = 0;
        for (int number = 1; number <= attempts && !watch.isClosed(); number++) {
            do {
                try {
                    made++;
                    if (attempt.succeeds(made)) {
                        return;
                    }
                } catch (BridgeException failed) {
                    last = failed;
                }
            } while (watch.await(pause(number)));
        }
        throw last;
    }
}
