package io.mcpbridge.testkit.faulty;

import java.time.Duration;

/**
 * A fault that a {@link FaultProxy} applies to connections. Response bytes are counted per connection, from the moment
 * at which the toxic applied.
 */
public sealed interface Toxic
        permits Toxic.Pass,
                Toxic.Refuse,
                Toxic.ResetBefore,
                Toxic.ResetAfter,
                Toxic.HalfOpen,
                Toxic.Blackhole,
                Toxic.Cut,
                Toxic.Dribble {

    /** No fault: all bytes pass. */
    record Pass() implements Toxic {}

    /** No server listens. */
    record Refuse() implements Toxic {}

    /** Resets the connection at the client's first byte; no byte reaches the server. */
    record ResetBefore() implements Toxic {}

    /** Passes the request to the server and resets the connection at the first byte of the response. */
    record ResetAfter() implements Toxic {}

    /** Accepts connections and reads the client's bytes, but forwards nothing in either direction. */
    record HalfOpen() implements Toxic {}

    /**
     * Passes {@code bytes} bytes of the response, and then nothing more in either direction.
     *
     * @param bytes at least 0
     */
    record Blackhole(int bytes) implements Toxic {
        public Blackhole {
            requireCount(bytes);
        }
    }

    /**
     * Passes {@code bytes} bytes of the response and then resets the connection.
     *
     * @param bytes at least 0
     */
    record Cut(int bytes) implements Toxic {
        public Cut {
            requireCount(bytes);
        }
    }

    /**
     * Passes the response in small pieces, one per interval.
     *
     * @param bytes the size of a piece, at least 1
     * @param interval the delay before each piece
     */
    record Dribble(int bytes, Duration interval) implements Toxic {
        public Dribble {
            if (bytes < 1) {
                throw new IllegalArgumentException(
                        "a piece of %d bytes never gets through; write 1 or more".formatted(bytes));
            }
        }
    }

    private static void requireCount(int bytes) {
        if (bytes < 0) {
            throw new IllegalArgumentException("%d bytes cannot pass; write 0 or more".formatted(bytes));
        }
    }
}
