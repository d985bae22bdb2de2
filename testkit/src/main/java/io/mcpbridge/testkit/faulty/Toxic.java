package io.mcpbridge.testkit.faulty;

import java.time.Duration;

/**
 * What a {@link FaultProxy} does to connections. Bytes of answers are counted on each connection from the moment at
 * which the trouble began.
 */
public sealed interface Toxic {

    /** None: bytes pass. */
    record Pass() implements Toxic {}

    /** No server listens. */
    record Refuse() implements Toxic {}

    /** The connection is reset when the client's first byte comes, none of which reaches the server. */
    record ResetBefore() implements Toxic {}

    /** The request reaches the server, and the connection is reset when the first byte of the answer comes back. */
    record ResetAfter() implements Toxic {}

    /** Connections are accepted, and what the client sends is read; nothing is passed on, and nothing comes back. */
    record HalfOpen() implements Toxic {}

    /**
     * So many bytes of the answer pass, and then nothing more, in either direction.
     *
     * @param bytes at least 0
     */
    record Blackhole(int bytes) implements Toxic {
        public Blackhole {
            requireCount(bytes);
        }
    }

    /**
     * So many bytes of the answer pass, and then the connection is reset.
     *
     * @param bytes at least 0
     */
    record Cut(int bytes) implements Toxic {
        public Cut {
            requireCount(bytes);
        }
    }

    /**
     * The answer passes in small pieces, one each interval.
     *
     * @param bytes of one piece, at least 1
     * @param interval how long each piece waits
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
