package io.mcpbridge.call;

/** How a client's request came in. Any thread. */
public interface Arrival {
    /** Nothing is known of it, as of a call that a program makes. */
    Arrival UNKNOWN = () -> Metadata.EMPTY;

    /** The headers; empty on byte streams. */
    Metadata metadata();

    /** Where it came from; asked for only where somebody watches. */
    default Remote remote() {
        return Remote.UNKNOWN;
    }
}
