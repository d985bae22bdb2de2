package io.mcpbridge.upstream.isolation;

/**
 * How many processes a {@link ChildPool} has, each counted from the moment its start begins until it is gone. For one
 * thread at a time: the pool guards it.
 */
final class Places {
    private final int max;
    private int taken;
    private int ending;
    private long started;

    Places(int max) {
        this.max = max;
    }

    boolean areFull() {
        return taken >= max;
    }

    int taken() {
        return taken;
    }

    int max() {
        return max;
    }

    /** Those that are to end and are not gone. */
    int ending() {
        return ending;
    }

    long started() {
        return started;
    }

    /** A start begins. */
    void begins() {
        taken++;
        started++;
    }

    /** One is to end. */
    void ends() {
        ending++;
    }

    /** One that was to end is gone. */
    void gone() {
        ending--;
        taken--;
    }

    /** One has ended that nobody had told to. */
    void died() {
        taken--;
    }
}
