package io.mcpbridge.testkit.proxy;

import java.time.Duration;

/**
 * What a {@link FaultProxy} does to connections. Bytes of answers are counted on each connection from the moment at
 * which the trouble began.
 */
public sealed interface Trouble {

    /** None: bytes pass. */
    record Pass() implements Trouble {}

    /** Nobody listens. */
    record Refuse() implements Trouble {}

    /** The connection is reset when the client's first byte comes, none of which reaches the server. */
    record ResetBefore() implements Trouble {}

    /** The request reaches the server, and the connection is reset when the first byte of the answer comes back. */
    record ResetAfter() implements Trouble {}

    /** Connections are accepted, and what the client sends is read; nothing is passed on, and nothing comes back. */
    record HalfOpen() implements Trouble {}

    /**
     * So many bytes of the answer pass, and then nothing more, in either direction.
     *
     * @param bytes at least 0
     */
    record Blackhole(int bytes) implements Trouble {
        public Blackhole {
            requireCount(bytes);
        }
    }

    /**
     * So many bytes of the answer pass, and then the connection is reset.
     *
     * @param bytes at least 0
     */
    record Cut(int bytes) implements Trouble {
        public Cut {
            requireCount(bytes);
        }
    }

    /**
     * The answer passes in small pieces, one for each {@link FaultProxy#tick} or, without any, each interval.
     *
     * @param bytes of one piece, at least 1
     * @param interval how long a piece waits at the most
     */
    record Dribble(int bytes, Duration interval) implements Trouble {
        public Dribble {
            if (bytes < 1) {
                throw new IllegalArgumentException(
                        "a piece of %d bytes never gets through; write 1 or more".formatted(bytes));
            }
        }

        /** Pieces that wait for the test's {@link FaultProxy#tick}. */
        public static Dribble byTick(int bytes) {
            return new Dribble(bytes, Duration.ofDays(1));
        }
    }

    private static void requireCount(int bytes) {
        if (bytes < 0) {
            throw new IllegalArgumentException("%d bytes cannot pass; write 0 or more".formatted(bytes));
        }
    }
}
