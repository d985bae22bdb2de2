package io.mcpbridge.spi;

import java.util.Optional;

/** The level of isolation of a child process; each level adds a guarantee to those of the level below it. */
public enum SandboxLevel {
    /**
     * A plain process without limits. It is ended with the known part of its process tree, and outlives the bridge if
     * the bridge is killed.
     */
    L0("plain process: ended with us in good order, may outlive a daemon that is killed, no limits"),

    /**
     * Linux kills the child when the bridge ends for any reason. Limits per process are enforced, and the child gains
     * no rights that the bridge does not have.
     */
    L1("the child dies with the daemon, what it started may not; limits per process"),

    /**
     * The child has its own PID namespace, so every process that it started is killed with it, and so with the bridge.
     */
    L2("the child and everything that it started die with the daemon"),

    /** As {@link #L2}; the child cannot reach the network and files that its limits exclude. */
    L3("as L2, and network and files are out of reach where its limits say so");

    /** The configuration's word for the highest level that is available. */
    public static final String AUTO = "auto";

    private static final String KEY = "level";

    private final String promise;

    SandboxLevel(String promise) {
        this.promise = promise;
    }

    /**
     * The level that the key {@code level} of a section requires; empty if the value is {@code auto} or absent. Any
     * other text is reported as a mistake.
     */
    public static Optional<SandboxLevel> from(Settings section) {
        return section.says(KEY, AUTO)
                ? Optional.empty()
                : section.choice(KEY, values(), SandboxLevel::name, "'auto', 'L0', 'L1', 'L2' or 'L3'");
    }

    /** The guarantee of the level, in a few words. */
    public String promise() {
        return promise;
    }

    /** Whether this level gives the guarantees of {@code other}. */
    public boolean covers(SandboxLevel other) {
        return compareTo(other) >= 0;
    }
}
