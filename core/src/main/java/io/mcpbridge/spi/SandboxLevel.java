package io.mcpbridge.spi;

import java.util.Optional;

/** How firmly a child is held; each level promises what those below it do, and one thing more. */
public enum SandboxLevel {
    /** A plain process: it is ended with what is known of its tree, outlives us if we are killed, and has no limits. */
    L0("plain process: ended with us in good order, may outlive a daemon that is killed, no limits"),

    /**
     * Linux kills the child itself when we are gone, however that came; limits per process hold, and it gains no
     * rights that we do not have.
     */
    L1("the child dies with the daemon, what it started may not; limits per process"),

    /** The child has process numbers of its own, and whatever it started is killed with it, and so with us. */
    L2("the child and everything that it started die with the daemon"),

    /** As {@link #L2}; network and files are out of reach where its limits say so. */
    L3("as L2, and network and files are out of reach where its limits say so");

    /** The configuration's word for the highest level that is available. */
    public static final String AUTO = "auto";

    private static final String KEY = "level";

    private final String promise;

    SandboxLevel(String promise) {
        this.promise = promise;
    }

    /**
     * The level that the key {@code level} of a section requires; empty where it says {@code auto} or nothing, and a mistake
     * noted for any other text.
     */
    public static Optional<SandboxLevel> from(Settings section) {
        return section.says(KEY, AUTO)
                ? Optional.empty()
                : section.choice(KEY, values(), SandboxLevel::name, "'auto', 'L0', 'L1', 'L2' or 'L3'");
    }

    /** Its promise, in a few words. */
    public String promise() {
        return promise;
    }

    /** Whether it promises what {@code other} does. */
    public boolean covers(SandboxLevel other) {
        return compareTo(other) >= 0;
    }
}
